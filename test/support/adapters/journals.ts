/**
 * The journals, dead letters, projector states and embedding caches that the contract suites run over. A new engine
 * adds one entry.
 */
import { randomUUID } from 'node:crypto';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import type { Postgres, Queryable } from '../../../shared/engines/postgres/connection/postgres.js';
import { APPEND, eventsToAppend } from '../../../shared/engines/postgres/journal/event-rows.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { appendEvent } from '../../../shared/engines/sqlite/journal/event-rows.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { commitMigrations } from '../../../shared/engines/sqlite/schema/commit.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { embeddingCacheMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import type { EmbeddingCache, EmbeddingUses } from '../../../shared/ports/embedder.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../../../shared/ports/journal.js';
import type { EventAddress } from '../../../shared/ports/outbox.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenJournal = {
  readonly journal: JournalReader;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly cache: EmbeddingCache;
  readonly embeddingUses: EmbeddingUses;
  /** Makes all heartbeats and events older, as if this time had passed. */
  readonly pass: (ms: number) => Promise<void>;
  /** Appends events to the journal as a committer does, without the other steps of a commit. */
  readonly append: (events: readonly NewEvent[]) => Promise<readonly RecordedEvent[]>;
  readonly close: () => Promise<void>;
};

export type JournalAdapter = { readonly name: string; readonly open: () => Promise<OpenJournal> };

export const JOURNAL_ADAPTERS: readonly JournalAdapter[] = [
  { name: 'sqlite', open: openSqlite },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgres }] : []),
];

async function openSqlite(): Promise<OpenJournal> {
  const { host, remove } = await openTemporaryHost([journalMigrations, commitMigrations, embeddingCacheMigrations]);
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  const records = sqliteRecords(host, clock);
  return {
    pass: (ms) => Promise.resolve(void (passedMs += ms)),
    journal: createSqliteJournal({ host, clock }),
    deadLetters: records.deadLetters,
    states: records.projectorStates,
    cache: records.cache,
    embeddingUses: records.embeddingUses,
    append: (events) => host.write(appendEvents, events),
    close: remove,
  };
}

export const appendEvents = procedure(
  import.meta.url,
  'appendEvents',
  (database, events: readonly NewEvent[]): RecordedEvent[] =>
    events.map(
      (event) => ({ ...event, position: appendEvent(database, event, JSON.stringify(event.data)) }) as RecordedEvent,
    ),
);

async function openPostgres(): Promise<OpenJournal> {
  const { postgres, remove } = await openTemporaryPostgres();
  const records = postgresRecords(postgres);
  return {
    pass: async (ms) => {
      const interval = `interval '${ms} milliseconds'`;
      await postgres.query(
        `UPDATE projector_states SET heartbeat_at = heartbeat_at - ${interval}; UPDATE journal SET recorded_at = recorded_at - ${interval}`,
      );
    },
    journal: createPostgresJournal({ postgres }),
    deadLetters: records.deadLetters,
    states: records.projectorStates,
    cache: records.cache,
    embeddingUses: records.embeddingUses,
    append: (events) => appendToPostgres(postgres, events),
    close: remove,
  };
}

/** The addresses of the events at these positions; a position without one gets an id that no event has. */
export async function addressesOf(postgres: Queryable, positions: readonly number[]): Promise<readonly EventAddress[]> {
  const { rows } = await postgres.query<EventAddress>(
    'SELECT position, event_id::text AS id FROM journal WHERE position = ANY ($1)',
    [positions],
  );
  return positions.map((position) => rows.find((row) => row.position === position) ?? { position, id: randomUUID() });
}

const LEASE_MS = 5_000;
const SUBJECTS = `INSERT INTO subjects (subject, version, revision, present)
  SELECT subject, max(version), max(version), true FROM json_to_recordset($1) AS given (subject text, version integer) GROUP BY subject
  ON CONFLICT (subject) DO UPDATE SET version = greatest(subjects.version, excluded.version)`;

export async function appendToPostgres(
  postgres: Postgres,
  events: readonly NewEvent[],
): Promise<readonly RecordedEvent[]> {
  const rows = eventsToAppend(events.map((event) => ({ event, commandId: randomUUID() })));
  await postgres.query(SUBJECTS, [rows]);
  const { rows: positions } = await postgres.query<{ position: number }>(APPEND, [rows, randomUUID(), LEASE_MS]);
  // A new event with a position is a recorded event; the compiler cannot infer it through a spread of the union.
  return events.map((event, index) => ({ ...event, position: positions[index]?.position }) as RecordedEvent);
}
