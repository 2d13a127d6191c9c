/** The committers that the contract suite judges, each with the readers that see what it did. A real server joins by one more entry. */
import { randomUUID } from 'node:crypto';
import { commitMigrations } from '../../shared/commit/sqlite/migrations.js';
import { createSqliteCommitter } from '../../shared/commit/sqlite/create-sqlite-committer.js';
import {
  COMMIT_STEPS,
  type Command,
  type CommitStep,
  type Committer,
  type Failpoints,
} from '../../shared/commit/committer.js';
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import { createSqliteEmbeddingCache } from '../../shared/embedding/sqlite/create-sqlite-embedding-cache.js';
import { embeddingCacheMigrations } from '../../shared/embedding/sqlite/migrations.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import { createSqliteGraphReader } from '../../shared/graph/sqlite/create-sqlite-graph-reader.js';
import { graphMigrations } from '../../shared/graph/sqlite/migrations.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/create-sqlite-journal.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { stored } from './events.js';
import { GRAPH_ADAPTERS, type GraphAdapter } from './graph-adapters.js';
import { openOutboxStage } from './outbox.js';
import { isServerWanted } from './servers.js';
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
  /** The same data under a new life of the process. What was opened before is closed. */
  readonly restart: () => Promise<OpenCommitter>;
  readonly close: () => Promise<void>;
};

export type CommitterAdapter = {
  readonly name: string;
  /** The failpoints that it has. */
  readonly features: { readonly steps: readonly CommitStep[] };
  readonly open: (conditions: CommitterConditions) => Promise<OpenCommitter>;
};

export const COMMITTER_ADAPTERS: readonly CommitterAdapter[] = [
  { name: 'sqlite', features: { steps: ['before_commit', 'after_commit'] }, open: openSqlite },
  ...(isServerWanted('postgres') ? GRAPH_ADAPTERS.map(overGraph) : []),
];

/** Postgres commits and that graph follows. */
function overGraph(graph: GraphAdapter): CommitterAdapter {
  return {
    name: `outbox over postgres and ${graph.name}`,
    features: { steps: COMMIT_STEPS },
    open: (conditions) => openOutbox(graph, conditions),
  };
}

async function openOutbox(adapter: GraphAdapter, conditions: CommitterConditions): Promise<OpenCommitter> {
  const stage = await openOutboxStage(adapter);
  stage.startRelay(conditions.publisher);
  return open();

  function open(): OpenCommitter {
    const { committer, journal, cache, close } = stage.start(conditions);
    return {
      committer,
      journal,
      cache,
      graph: stage.graph.reader,
      restart: async () => {
        await close();
        return open();
      },
      close: stage.close,
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
      cache: createSqliteEmbeddingCache({ host }),
      restart: async () => {
        temporary = await temporary.reopen();
        return open();
      },
      close: () => temporary.remove(),
    };
  }
}

/** A command of these events, with an id of its own. */
export function command(events: readonly NewEvent[], overrides: Partial<Command> = {}): Command {
  return { id: randomUUID(), events, requires: [], key: null, fingerprint: null, vectors: [], ...overrides };
}

/** An event that every journal refuses to write. */
export function unwritable(number: number): NewEvent {
  return { ...stored(number), revision: Number.NaN };
}

/** Fails commits at the steps that are switched on. */
export function switchedFailpoints(): Failpoints & { readonly broken: Set<CommitStep> } {
  const broken = new Set<CommitStep>();
  return {
    broken,
    hit: (step) => {
      if (broken.has(step)) throw new Error(`broken at ${step}`);
    },
  };
}
