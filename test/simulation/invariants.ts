/**
 * What must hold when the faults are over and all is quiet, whatever happened before. `watchRun` checks what can be
 * checked earlier.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { COMMIT_LETTERS } from '../../shared/contract/projector-names.js';
import { recordedEvent } from '../../shared/engines/sql/recorded-event.js';
import { graphDifferences, indexDifferences } from './compare-stores.js';
import { copiedWords, keptWords } from './erased-words.js';
import type { Accidents } from './faults.js';
import type { WrongRead } from './fleet/readers.js';
import type { SimulatedServer } from './postgres/simulated-server.js';
import type { GraphState } from './stores/graph-state.js';
import type { IndexPoint } from './stores/simulated-index.js';
import type { Invariant, TopicRecord, Violation } from './violation.js';

/** A point that was written while the graph had an older version of its memory. */
export type EarlyPoint = {
  readonly at: number;
  readonly id: string;
  readonly version: number;
  readonly graphVersion: number;
  readonly process: string;
};

export type Evidence = {
  readonly server: SimulatedServer;
  readonly graph: GraphState;
  readonly records: readonly TopicRecord[];
  readonly accidents: Accidents;
  /** What the command APIs report about graph and journal. */
  readonly problems: readonly string[];
  /** Records that the indexers have not handled. */
  readonly lag: number;
  /** The mark of the index has an event that the journal lacks, which the indexers report. */
  readonly isIndexForeign: boolean;
  readonly points: ReadonlyMap<string, IndexPoint>;
  readonly earlyPoints: readonly EarlyPoint[];
  readonly wrongReads: readonly WrongRead[];
};

export function findViolations(evidence: Evidence): readonly Violation[] {
  const { server, problems } = evidence;
  const journal = [...server.committed('journal')]
    .sort((one, other) => one.position - other.position)
    .map((row) => recordedEvent(row));
  const dead = new Set(
    server
      .committed('dead_letters')
      .filter(({ projector }) => projector === COMMIT_LETTERS)
      .map(({ subject }) => subject),
  );
  const isReported = problems.length > 0;
  return [
    ...unnoticed(evidence),
    ...unquiet(evidence),
    // With a reported problem commands wait for an operator, so graph and index may differ.
    ...(isReported ? [] : graphDifferences(evidence.graph, journal, dead)),
    ...unpublished(evidence, journal, dead),
    ...erasedWords(evidence, journal, isReported ? null : dead),
    ...wrongReads(evidence),
    ...earlyPoints(evidence),
    ...(isReported || evidence.isIndexForeign
      ? []
      : indexDifferences(evidence.points, journal, new Set([...dead, ...missedByIndex(evidence)]))),
  ];
}

/** Each process compares graph and journal once a second, and the calls of a comparison may be slow. */
const NOTICE_MS = 2_000;

/**
 * After a failover that lost an event which the mark of the graph has, commands are refused in the end, and nothing is
 * appended on top. Excused are appends within NOTICE_MS after the server is up, by processes that saw no lost event
 * (decision 8, consequences); and failovers before the graph lost its mark too.
 */
function unnoticed({ server, accidents, problems }: Evidence): readonly Violation[] {
  const noticeable = accidents.failovers.filter(
    ({ at, isMarked }) => isMarked && accidents.graphAt.every((graphAt) => graphAt < at),
  );
  return noticeable.flatMap(({ at, upAt, lost }): readonly Violation[] => {
    const onTop = server.committed('journal').filter((row) => row.recorded_at > upAt + NOTICE_MS);
    const invariant: Invariant = 'a journal that went back is noticed';
    const failover = `the failover at ${at} ms lost position ${lost[0]?.position}`;
    const appended = onTop.map(({ position, subject }) => ({
      invariant,
      found: `${failover}, and position ${position} was appended more than ${NOTICE_MS} ms after it`,
      about: subject,
    }));
    if (problems.some((problem) => problem.startsWith('The journal went back'))) return appended;
    return [...appended, { invariant, found: `${failover}, and no command API reports it`, about: 'failover' }];
  });
}

/** What still waits long after the last fault. A reported problem that only an operator can end excuses it. */
function unquiet({ server, problems, lag, isIndexForeign }: Evidence): readonly Violation[] {
  const invariant: Invariant = 'all is quiet in the end';
  const unrepaired = problems.filter((problem) => problem.startsWith('The graph was'));
  const graph = unrepaired.map((problem) => ({ invariant, found: `still reported: ${problem}`, about: 'graph' }));
  if (problems.length > 0) return graph;
  const pending = server.committed('outbox_pending').map(({ position, subject, attempts }) => ({
    invariant,
    found: `position ${position} of ${subject} is pending with ${attempts} failed attempts`,
    about: subject,
  }));
  if (lag === 0 || isIndexForeign) return pending;
  return [...pending, { invariant, found: `the indexers lag behind by ${lag} records`, about: 'indexer' }];
}

function unpublished(
  { server, records, problems }: Evidence,
  journal: readonly RecordedEvent[],
  dead: ReadonlySet<string>,
): readonly Violation[] {
  const published = new Set(records.map(({ event }) => event.id));
  const waiting = new Set(server.committed('outbox').map(({ position }) => position));
  const deadKeys = new Set(journal.filter(({ subject }) => dead.has(subject)).map(({ partitionKey }) => partitionKey));
  return journal.flatMap((event): readonly Violation[] => {
    if (published.has(event.id)) return [];
    const isWaiting = waiting.has(event.position);
    if (isWaiting && (problems.length > 0 || deadKeys.has(event.partitionKey))) return [];
    const state = isWaiting ? 'still waits in the outbox' : 'has no row in the outbox and never will be published';
    return [
      {
        invariant: isWaiting ? 'all is quiet in the end' : 'no event loses its row in the outbox',
        found: `position ${event.position} (${event.type} of ${event.subject}) ${state}`,
        about: event.subject,
      },
    ];
  });
}

/** `dead`: the subjects of dead letters, which the graph may have in an older version; null while it may lack more. */
function erasedWords(
  { server, records, graph }: Evidence,
  journal: readonly RecordedEvent[],
  dead: ReadonlySet<string> | null,
): readonly Violation[] {
  const deletions = journal.filter(({ type }) => type === 'memory.deleted');
  const rows = server.committed('journal');
  const tables = new Map(server.tables().map((name) => [name, server.committed(name)]));
  const deleted = new Set(deletions.map(({ subject }) => subject).filter((subject) => !dead?.has(subject)));
  return [
    ...deletions.flatMap((deletion) => keptWords(rows, deletion)),
    ...copiedWords({ deleted, records, tables, graph: dead === null ? null : graph }),
  ];
}

/**
 * A graph that goes back during the read may explain its reply. For a lost event no reply is explained while the mark
 * of the graph or the journal names a lost event: each read compares them. Without such a name no process can know
 * that the position had another event. A graph that was emptied gets a deletion only from its commit, which may be
 * paused, and its journal has no earlier state of the memory any more: then a reply without the memory is right.
 */
function wrongReads({ wrongReads: found, accidents }: Evidence): readonly Violation[] {
  const isUnknown = ({ position, id, at, isLossSaved }: WrongRead): boolean =>
    !isLossSaved &&
    accidents.failovers
      .filter(({ lost }) => lost.some((event) => event.position === position && event.subject === id))
      .every((failover) => !failover.isMarked || accidents.graphAt.some((time) => time > failover.at && time <= at));
  const isExcused = (read: WrongRead): boolean =>
    accidents.graphAt.some((accident) => accident >= read.startedAt && accident <= read.at) ||
    (read.isLost && isUnknown(read)) ||
    (read.isErased && accidents.graphAt.some((accident) => accident <= read.at));
  return found
    .filter((read) => !isExcused(read))
    .map(({ id, position, at, wanted, found: shown }) => ({
      invariant: 'a reply with `graph: true` shows the write',
      found: `the journal has ${wanted} at position ${position} of ${id}, and a reply at ${at} ms says graph: true and shows ${shown}`,
      about: id,
    }));
}

/** The drift repairer, which is no part of the simulation, brings back what an index had before it went back. */
function missedByIndex({ server, accidents }: Evidence): readonly string[] {
  const rows = server.committed('journal');
  const later = new Set(rows.filter(({ recorded_at: at }) => at > Math.max(...accidents.indexAt)).map(subjectOf));
  return accidents.indexAt.length === 0 ? [] : rows.map(subjectOf).filter((subject) => !later.has(subject));
}
const subjectOf = ({ subject }: { readonly subject: string }): string => subject;

/** An older graph or an older journal explains them. */
function earlyPoints({ earlyPoints: found, accidents }: Evidence): readonly Violation[] {
  const since = Math.min(...accidents.graphAt, ...accidents.failovers.map(({ at }) => at));
  return found
    .filter(({ at }) => at < since)
    .map(({ at, id, version, graphVersion, process }) => ({
      invariant: 'the index shows no event that the graph lacks',
      found: `${process} writes version ${version} of ${id} to the index at ${at} ms, and the graph has version ${graphVersion}`,
      about: id,
    }));
}
