/**
 * Reads the journal in SQLite. Rows cross threads as text, which is cheaper than cloned objects; this side parses them.
 */
import type { EventType } from '../../../contract/events.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import type { CountedSteps, JournalReader, JournalSize, StepCounts } from '../../../ports/journal.js';
import { recordedEvent } from '../../sql/recorded-event.js';
import type { Database, SqlRow, SqlValue } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { SELECT_EVENTS } from './event-rows.js';

/** One process has one clock: the events have their times of it. */
export function createSqliteJournal({
  host,
  clock = systemClock,
}: {
  readonly host: SqliteHost;
  readonly clock?: Clock;
}): JournalReader {
  return {
    read: async (request) => (await host.read(readEvents, request)).map(recordedEvent),
    states: async (request) => (await host.read(readStates, request)).map(recordedEvent),
    estimateSubjects: () => host.read(countSubjects, null),
    lastOf: async (request) => (await host.read(readLastOf, request)).map(recordedEvent),
    head: () => host.read(readHead, null),
    ageAfter: async (position) => {
      const time = await host.read(readTimeAfter, position);
      return time === null ? null : clock.now().getTime() - Date.parse(time);
    },
    countSteps: (request) => host.read(countSteps, { ...request, nowMs: clock.now().getTime() }),
    size: () => host.read(readSize, null),
    ping: async () => {
      await host.read(readHead, null);
    },
  };
}

type ReadRequest = Parameters<JournalReader['read']>[0];

export const readEvents = procedure(import.meta.url, 'readEvents', (database, request: ReadRequest): SqlRow[] => {
  const { after, through, limit, types, subject, afterVersion = 0 } = request;
  const conditions = ['position > ?'];
  const params: SqlValue[] = [after];
  if (through !== undefined) {
    conditions.push('position <= ?');
    params.push(through);
  }
  if (types !== undefined) {
    conditions.push(`type IN (${types.map((_type: EventType) => '?').join(', ')})`);
    params.push(...types);
  }
  if (subject !== undefined) {
    conditions.push('subject = ? AND version > ?');
    params.push(subject, afterVersion);
  }
  // Within one subject, versions and positions increase together, and the index returns versions in order.
  const order = subject === undefined ? 'position' : 'version';
  return database.all(`${SELECT_EVENTS} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`, [
    ...params,
    limit,
  ]);
});

/** The index of subjects and versions gives the last versions without a row of the journal. */
const STATES = `SELECT event.* FROM (
    SELECT subject, max(version) AS version FROM journal WHERE subject > ? GROUP BY subject ORDER BY subject LIMIT ?
  ) AS last JOIN (${SELECT_EVENTS}) AS event ON event.subject = last.subject AND event.version = last.version ORDER BY event.subject`;

export const readStates = procedure(
  import.meta.url,
  'readStates',
  (database, { after, limit }: Parameters<JournalReader['states']>[0]): SqlRow[] =>
    database.all(STATES, [after, limit]),
);

export const countSubjects = procedure(import.meta.url, 'countSubjects', (database, _args: null): number =>
  Number(database.get('SELECT count(DISTINCT subject) AS subjects FROM journal')?.['subjects'] ?? 0),
);

const LAST_OF = `${SELECT_EVENTS} WHERE subject = ? AND type = ? ORDER BY version DESC LIMIT 1`;

export const readLastOf = procedure(
  import.meta.url,
  'readLastOf',
  (database, { subjects, types }: Parameters<JournalReader['lastOf']>[0]): SqlRow[] =>
    subjects.flatMap((subject) => types.flatMap((type) => database.all(LAST_OF, [subject, type]))),
);

export const readTimeAfter = procedure(
  import.meta.url,
  'readTimeAfter',
  (database, position: number): string | null => {
    const row = database.get('SELECT time FROM journal WHERE position > ? ORDER BY position LIMIT 1', [position]);
    return row === undefined ? null : String(row['time']);
  },
);

/** By second, because a row for each event costs more than to read the events: 80 ms for 20,000, in place of 35. */
const SECONDS = `SELECT type, substr(time, 1, 19) AS second, count(*) AS events
  FROM (SELECT type, time FROM journal WHERE position > ? ORDER BY position DESC LIMIT ?) GROUP BY second, type`;

export const countSteps = procedure(
  import.meta.url,
  'countSteps',
  (database, { after, stepMs, limit, nowMs }: CountedSteps & { readonly nowMs: number }): StepCounts => {
    const counts = new Map<string, { step: number; type: EventType; events: number }>();
    for (const { type, second, events } of database.all(SECONDS, [after, limit])) {
      const step = Math.floor(Date.parse(`${String(second)}Z`) / stepMs);
      const key = `${step} ${String(type)}`;
      const found = counts.get(key);
      // The cast is safe because the committer wrote the type.
      if (found === undefined) counts.set(key, { step, type: type as EventType, events: Number(events) });
      else found.events += Number(events);
    }
    return { head: headOf(database), now: Math.floor(nowMs / stepMs), counts: [...counts.values()] };
  },
);

export const readHead = procedure(import.meta.url, 'readHead', (database, _args: null): number => headOf(database));

function headOf(database: Pick<Database, 'get'>): number {
  return Number(database.get('SELECT MAX(position) AS head FROM journal')?.['head'] ?? 0);
}

const SIZE = `SELECT page_count * page_size AS bytes, (SELECT count(*) FROM subjects WHERE present = 0) AS deleted
  FROM pragma_page_count, pragma_page_size`;

/** An index has the deleted subjects alone. */
export const readSize = procedure(import.meta.url, 'readSize', (database, _args: null): JournalSize => {
  const row = database.get(SIZE);
  return { bytes: Number(row?.['bytes'] ?? 0), deletedSubjects: Number(row?.['deleted'] ?? 0) };
});
