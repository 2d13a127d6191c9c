/** What must hold when the faults are over and all is quiet, whatever happened before. Each check is pure. */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { COMMIT_LETTERS } from '../../shared/contract/projector-names.js';
import { recordedEvent } from '../../shared/engines/sql/recorded-event.js';
import type { Accidents } from './faults.js';
import type { Acknowledged } from './fleet/callers.js';
import type { WrongRead } from './fleet/readers.js';
import type { SimulatedServer } from './postgres/simulated-server.js';
import { applyToGraph, EMPTY_GRAPH, type GraphState } from './stores/graph-state.js';

/** An event that a relay published. */
export type TopicRecord = {
  readonly event: Pick<RecordedEvent, 'id' | 'type' | 'subject' | 'partitionKey' | 'version' | 'position'> & {
    readonly data: unknown;
  };
  readonly process: string;
  readonly at: number;
};

/** A point that was written while the graph had an older version of its memory. */
export type EarlyPoint = {
  readonly at: number;
  readonly id: string;
  readonly version: number;
  readonly graphVersion: number;
  readonly process: string;
};

export type Violation = {
  readonly invariant: Invariant;
  /** What was found, with subjects and positions. */
  readonly found: string;
  /** A text that marks the steps of the schedule that concern it. */
  readonly about: string;
};

export const INVARIANTS = [
  'the simulation starts',
  'an acknowledged write is in the journal',
  'a journal that went back is noticed',
  'the graph is the fold of the journal',
  'no event stays pending',
  'every event is published',
  'no event loses its row in the outbox',
  'first appearances are in order per key',
  'erased words do not return to the topic',
  'a reply with `graph: true` shows the write',
  'the index shows no event that the graph lacks',
  'the index is the fold of the journal',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

export type Evidence = {
  readonly server: SimulatedServer;
  readonly graph: GraphState;
  readonly records: readonly TopicRecord[];
  readonly acknowledged: readonly Acknowledged[];
  readonly accidents: Accidents;
  /** What the command APIs report about graph and journal. */
  readonly problems: readonly string[];
  /** What the indexers report. */
  readonly indexProblems: readonly string[];
  readonly points: ReadonlyMap<string, { readonly version: number; readonly isRemoved: boolean }>;
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
    ...lostWrites(evidence, journal),
    ...unnoticed(evidence),
    // With a reported problem commands wait for an operator, so these may fail.
    ...(isReported ? [] : [...graphDifferences(evidence.graph, journal, dead), ...pendingEvents(server)]),
    ...unpublished(evidence, journal, dead),
    ...publishedOutOfOrder(evidence.records, journal),
    ...returnedWords(evidence.records, journal),
    ...wrongReads(evidence),
    ...earlyPoints(evidence),
    ...(isReported || evidence.indexProblems.length > 0 ? [] : indexDifferences(evidence, journal, dead)),
  ];
}

/** Writes that a failover lost are gone; each other one is there. */
function lostWrites({ acknowledged, accidents }: Evidence, journal: readonly RecordedEvent[]): readonly Violation[] {
  const at = new Map(journal.map((event) => [event.position, event]));
  const lost = new Set(
    accidents.failovers.flatMap((failover) => failover.lost.map(({ position, subject }) => `${position} ${subject}`)),
  );
  return acknowledged.flatMap((write): readonly Violation[] => {
    if (lost.has(`${write.position} ${write.subject}`)) return [];
    if (at.get(write.position)?.subject === write.subject) return [];
    const found = `${write.operation} of ${write.subject} was acknowledged at ${write.at} ms with position ${write.position}`;
    return [{ invariant: 'an acknowledged write is in the journal', found, about: write.subject }];
  });
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

function graphDifferences(
  graph: GraphState,
  journal: readonly RecordedEvent[],
  dead: ReadonlySet<string>,
): readonly Violation[] {
  const wanted = applyToGraph(EMPTY_GRAPH, journal);
  const found: Violation[] = [];
  const compare = (
    name: keyof GraphState,
    describe: (one: { readonly version: number; readonly state?: unknown }) => string,
  ): void => {
    for (const subject of new Set([...wanted[name].keys(), ...graph[name].keys()])) {
      const [expected, actual] = [wanted[name].get(subject), graph[name].get(subject)];
      const [one, other] = [expected ? describe(expected) : 'nothing', actual ? describe(actual) : 'nothing'];
      if (one === other || dead.has(subject)) continue;
      found.push({
        invariant: 'the graph is the fold of the journal',
        found: `${subject}: the journal has ${one}, the graph has ${other}, and no problem is reported`,
        about: subject,
      });
    }
  };
  compare('nodes', ({ version, state }) => `version ${version}${state === null ? ' (deleted)' : ''}`);
  compare('associations', ({ version }) => `version ${version}`);
  return found;
}

function pendingEvents(server: SimulatedServer): readonly Violation[] {
  return server.committed('outbox_pending').map(({ position, subject, attempts }) => ({
    invariant: 'no event stays pending',
    found: `position ${position} of ${subject} is pending with ${attempts} failed attempts`,
    about: subject,
  }));
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
        invariant: isWaiting ? 'every event is published' : 'no event loses its row in the outbox',
        found: `position ${event.position} (${event.type} of ${event.subject}) ${state}`,
        about: event.subject,
      },
    ];
  });
}

/** Events that a failover lost are no part of the order. */
function publishedOutOfOrder(records: readonly TopicRecord[], journal: readonly RecordedEvent[]): readonly Violation[] {
  const kept = new Set(journal.map(({ id }) => id));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  return records.flatMap(({ event, at }): readonly Violation[] => {
    if (seen.has(event.id) || !kept.has(event.id)) return [];
    seen.add(event.id);
    const before = last.get(event.partitionKey) ?? 0;
    last.set(event.partitionKey, Math.max(before, event.position));
    if (event.position > before) return [];
    const found = `position ${event.position} of ${event.subject} appears first at ${at} ms, after position ${before} of its key`;
    return [{ invariant: 'first appearances are in order per key', found, about: event.subject }];
  });
}

/** A deletion that a failover lost counts as never made. */
function returnedWords(records: readonly TopicRecord[], journal: readonly RecordedEvent[]): readonly Violation[] {
  const kept = new Set(journal.map(({ id }) => id));
  const deletions = new Map<string, TopicRecord>();
  return records.flatMap((record): readonly Violation[] => {
    const { event, at, process } = record;
    if (event.type === 'memory.deleted' && kept.has(event.id)) deletions.set(event.subject, record);
    const deletion = deletions.get(event.subject);
    if (!deletion || event.type === 'memory.deleted' || event.data === null) return [];
    if (event.version > deletion.event.version) return [];
    const found =
      `${process} publishes position ${event.position}, version ${event.version} of ${event.subject} with its words, at ${at} ms, ` +
      `after ${deletion.process} published its deletion, position ${deletion.event.position}, at ${deletion.at} ms`;
    return [{ invariant: 'erased words do not return to the topic', found, about: event.subject }];
  });
}

/** A graph that goes back during the read may explain its reply. */
function wrongReads({ wrongReads: found, accidents }: Evidence): readonly Violation[] {
  const isExcused = ({ startedAt, at }: WrongRead): boolean =>
    accidents.graphAt.some((accident) => accident >= startedAt && accident <= at);
  return found
    .filter((read) => !isExcused(read))
    .map(({ id, position, at, wanted, found: shown }) => ({
      invariant: 'a reply with `graph: true` shows the write',
      found: `the journal has ${wanted} at position ${position} of ${id}, and a reply at ${at} ms says graph: true and shows ${shown}`,
      about: id,
    }));
}

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

function indexDifferences(
  { points }: Evidence,
  journal: readonly RecordedEvent[],
  dead: ReadonlySet<string>,
): readonly Violation[] {
  const { nodes } = applyToGraph(EMPTY_GRAPH, journal);
  const describe = (point?: { readonly version: number; readonly isRemoved: boolean }): string =>
    point ? `version ${point.version}${point.isRemoved ? ' (deleted)' : ''}` : 'nothing';
  return [...new Set([...nodes.keys(), ...points.keys()])].flatMap((id): readonly Violation[] => {
    const node = nodes.get(id);
    const wanted = describe(node && { version: node.version, isRemoved: node.state === null });
    const actual = describe(points.get(id));
    if (wanted === actual || dead.has(id)) return [];
    const found = `${id}: the journal has ${wanted}, the index has ${actual}, and no problem is reported`;
    return [{ invariant: 'the index is the fold of the journal', found, about: id }];
  });
}
