/** The committers that the contract suite runs over, each with readers of its data. A new committer adds one entry. */
import { randomUUID } from 'node:crypto';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { eraseRest as eraseRestInPostgres } from '../../../shared/engines/postgres/commit/erasing/erase-rest.js';
import type { PreparedCommand } from '../../../shared/engines/sql/prepare-command.js';
import { eraseRest } from '../../../shared/engines/sqlite/commit/erase-memory.js';
import { createSqliteCommitter } from '../../../shared/engines/sqlite/commit/sqlite-committer.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { commitMigrations } from '../../../shared/engines/sqlite/schema/commit.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { embeddingCacheMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import {
  type Command,
  COMMIT_STEPS,
  type CommitStep,
  type Committer,
  type Failpoints,
} from '../../../shared/ports/committer.js';
import type { EmbeddingCache } from '../../../shared/ports/embedder.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import { openSimulatedDatabase } from '../../simulation/postgres/simulated-database.js';
import { stored } from '../fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../servers/postgres.js';
import { GRAPH_ADAPTERS, type GraphAdapter, OUTBOX_GRAPHS } from './graphs.js';
import { openOutboxSetup, type OutboxSetup } from './outbox-setup.js';
import { openTemporaryHost } from './sqlite.js';

export type CommitterConditions = {
  readonly clock: Clock;
  readonly failpoints: Failpoints;
  readonly publisher: { append(events: readonly RecordedEvent[]): Promise<void> };
};

export type OpenCommitter = {
  readonly committer: Committer;
  readonly journal: JournalReader;
  readonly graph: GraphReader;
  readonly cache: EmbeddingCache;
  /**
   * Makes remembered requests older where the database has its own clock. A test also moves the clock that it gave to
   * the committer.
   */
  readonly age: (ms: number) => Promise<void>;
  /** Erases one batch that a deletion left. */
  readonly eraseRest: () => Promise<boolean>;
  /** Closes the committer and opens a new one over the same data, like a restart of the process. */
  readonly restart: () => Promise<OpenCommitter>;
  readonly close: () => Promise<void>;
};

export type CommitterAdapter = {
  readonly name: string;
  /** The commit steps with a failpoint. */
  readonly features: { readonly steps: readonly CommitStep[] };
  readonly open: (conditions: CommitterConditions) => Promise<OpenCommitter>;
};

export const COMMITTER_ADAPTERS: readonly CommitterAdapter[] = [
  { name: 'sqlite', features: { steps: ['before_commit', 'after_commit'] }, open: openSqlite },
  // The suite holds the Postgres of the simulation to the real one.
  ...GRAPH_ADAPTERS.filter(({ name }) => name === 'sqlite').map((graph) =>
    overGraph(graph, 'simulated postgres', openSimulatedDatabase),
  ),
  ...OUTBOX_GRAPHS.map((graph) => overGraph(graph, 'postgres', openTemporaryPostgres)),
];

type OpenPostgres = () => Promise<TemporaryPostgres>;

/** The outbox committer over this Postgres and this graph. */
function overGraph(graph: GraphAdapter, postgres: string, openPostgres: OpenPostgres): CommitterAdapter {
  return {
    name: `outbox over ${postgres} and ${graph.name}`,
    features: { steps: COMMIT_STEPS },
    open: async (conditions) => openOutbox(await openOutboxSetup(graph, openPostgres), conditions),
  };
}

async function openOutbox(setup: OutboxSetup, conditions: CommitterConditions): Promise<OpenCommitter> {
  setup.startRelay(conditions.publisher);
  return open();

  function open(): OpenCommitter {
    const { committer, journal, cache, close } = setup.start({ failpoints: conditions.failpoints });
    return {
      committer,
      journal,
      cache,
      graph: setup.graph.reader,
      age: async (ms) => {
        const older = `SET at = at - interval '${ms} milliseconds'`;
        await setup.temporary.postgres.query(`UPDATE command_keys ${older}; UPDATE unanswered ${older}`);
      },
      eraseRest: () => eraseRestInPostgres(setup.temporary.postgres),
      restart: async () => {
        await close();
        return open();
      },
      close: setup.close,
    };
  }
}

async function openSqlite(conditions: CommitterConditions): Promise<OpenCommitter> {
  const migrations = [journalMigrations, graphMigrations, embeddingCacheMigrations, commitMigrations];
  let temporary = await openTemporaryHost(migrations);
  return open();

  function open(): OpenCommitter {
    const { host } = temporary;
    return {
      committer: createSqliteCommitter({ host, ...conditions }),
      journal: createSqliteJournal({ host }),
      graph: createSqliteGraphReader({ host }),
      age: () => Promise.resolve(),
      cache: sqliteRecords(host).cache,
      eraseRest: () => host.write(eraseRest, null),
      restart: async () => {
        temporary = await temporary.reopen();
        return open();
      },
      close: () => temporary.remove(),
    };
  }
}

/** A command with these events and a new id. */
export function command(events: readonly NewEvent[], overrides: Partial<Command> = {}): Command {
  return { id: randomUUID(), events, requires: [], key: null, fingerprint: null, vectors: [], ...overrides };
}

/** The command with the data of its events as text. */
export function prepared(given: Command): PreparedCommand {
  return { ...given, dataTexts: given.events.map(({ data }) => JSON.stringify(data)) };
}

/** An event that each journal refuses to write. */
export function unwritable(number: number): NewEvent {
  return { ...stored(number), revision: Number.NaN };
}

/** Failpoints that fail a commit at each step in `broken`. */
export function switchedFailpoints(): Failpoints & { readonly broken: Set<CommitStep> } {
  const broken = new Set<CommitStep>();
  return {
    broken,
    hit: (step) => {
      if (broken.has(step)) throw new Error(`broken at ${step}`);
    },
  };
}
