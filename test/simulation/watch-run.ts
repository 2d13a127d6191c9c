/**
 * The checks that run with the simulation, so that a violation has its place in the schedule: each record of the topic
 * when it is appended, each write when it is acknowledged, and all writes again after a failover.
 */
import type { CloudEvent } from '../../shared/contract/events.js';
import { keptWords } from './erased-words.js';
import type { Accidents } from './faults.js';
import type { Acknowledged } from './fleet/callers.js';
import type { StoredRecord } from './kafka/simulated-broker.js';
import type { SimulatedServer } from './postgres/simulated-server.js';
import type { TopicRecord, Violation } from './violation.js';
import type { World } from './world/world.js';

export interface RunWatch {
  readonly appended: (record: StoredRecord) => void;
  readonly acknowledged: (write: Acknowledged) => void;
  /** Checks the writes for the last time. Returns the violations of the run. */
  readonly end: () => readonly Violation[];
  /** Every event that a relay published, in the order of the appends. */
  readonly records: readonly TopicRecord[];
}

export function watchRun({
  world,
  server,
  accidents,
}: {
  readonly world: World;
  readonly server: SimulatedServer;
  readonly accidents: Accidents;
}): RunWatch {
  const violations: Violation[] = [];
  const records: TopicRecord[] = [];
  const writes = new Set<Acknowledged>();
  const isKept = ({ position, id }: TopicRecord['event']): boolean => server.find('journal', position)?.event_id === id;
  let checkRecord = createTopicCheck(isKept);
  let failovers = 0;

  function report(found: readonly Violation[]): void {
    for (const { found: text } of found) world.record('check', `violation: ${text}`, true);
    violations.push(...found);
  }

  /** What a failover lost is no part of the order of the topic any more. */
  function noteFailovers(): void {
    if (accidents.failovers.length === failovers) return;
    failovers = accidents.failovers.length;
    checkRecord = createTopicCheck(isKept);
    for (const record of records) checkRecord(record);
    checkWrites();
  }

  /** A write that a failover lost is gone; each other one is there. A missing write is reported once. */
  function checkWrites(): void {
    for (const write of writes) if (!isInJournal(write)) reportLost(write);
  }
  const isInJournal = ({ position, subject }: Acknowledged): boolean =>
    server.find('journal', position)?.subject === subject;
  function reportLost(write: Acknowledged): void {
    const { operation, position, subject, at } = write;
    writes.delete(write);
    const isLost = accidents.failovers.some(({ lost }) =>
      lost.some((event) => event.position === position && event.subject === subject),
    );
    if (isLost) return;
    const found = `${operation} of ${subject}, acknowledged at ${at} ms with position ${position}, is missing at ${world.now()} ms`;
    report([{ invariant: 'an acknowledged write is in the journal', found, about: subject }]);
  }

  return {
    records,
    appended: (stored) => {
      noteFailovers();
      const record = recordOf(stored);
      records.push(record);
      report(checkRecord(record));
    },
    acknowledged: (write) => {
      noteFailovers();
      writes.add(write);
      if (!isInJournal(write)) reportLost(write);
      else if (write.operation === 'delete') report(keptWords(server.committed('journal'), write));
    },
    end: () => {
      checkWrites();
      return violations;
    },
  };
}

function recordOf({ value, process, at }: StoredRecord): TopicRecord {
  // The relay writes events in the form of CloudEvents.
  const { partitionkey: partitionKey, data = null, ...event } = JSON.parse(value) as CloudEvent;
  return { event: { ...event, partitionKey, data }, process, at };
}

/**
 * Checks one record after the other. Events that the journal lacks are no part of the order, and a deletion that it
 * lacks counts as never made.
 */
function createTopicCheck(
  isKept: (event: TopicRecord['event']) => boolean,
): (record: TopicRecord) => readonly Violation[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const deletions = new Map<string, TopicRecord>();

  function outOfOrder({ event, at }: TopicRecord): readonly Violation[] {
    if (seen.has(event.id) || !isKept(event)) return [];
    seen.add(event.id);
    const before = last.get(event.partitionKey) ?? 0;
    last.set(event.partitionKey, Math.max(before, event.position));
    if (event.position > before) return [];
    const found = `position ${event.position} of ${event.subject} appears first at ${at} ms, after position ${before} of its key`;
    return [{ invariant: 'first appearances are in order per key', found, about: event.subject }];
  }

  function returnedWords(record: TopicRecord): readonly Violation[] {
    const { event, at, process } = record;
    if (event.type === 'memory.deleted' && isKept(event)) deletions.set(event.subject, record);
    const deletion = deletions.get(event.subject);
    if (!deletion || event.type === 'memory.deleted' || event.data === null) return [];
    if (event.version > deletion.event.version) return [];
    const found =
      `${process} publishes position ${event.position}, version ${event.version} of ${event.subject} with its words, at ${at} ms, ` +
      `after ${deletion.process} published its deletion, position ${deletion.event.position}, at ${deletion.at} ms`;
    return [{ invariant: 'erased words do not return to the topic', found, about: event.subject }];
  }

  return (record) => [...outOfOrder(record), ...returnedWords(record)];
}
