/** The commit protocol over a Postgres of one's own and any graph, with a relay that publishes, as several processes have it. */
import { createRelay } from '../../command-api/relay/create-relay.js';
import type { Failpoints } from '../../shared/commit/committer.js';
import type { CommitConfig } from '../../shared/commit/outbox/commit-variables.js';
import { commitConfig } from '../../shared/commit/outbox/commit-variables.js';
import type { CommitGraph } from '../../shared/commit/outbox/create-graph-guard.js';
import { createOutboxCommitter, type OutboxCommitter } from '../../shared/commit/outbox/create-outbox-committer.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import { createPostgresEmbeddingCache } from '../../shared/embedding/postgres/create-postgres-embedding-cache.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { createPostgresJournal } from '../../shared/journal/postgres/create-postgres-journal.js';
import { createPostgresOutbox } from '../../shared/journal/postgres/create-postgres-outbox.js';
import { systemClock, type Clock } from '../../shared/kernel/clock.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createResources } from '../../shared/kernel/resources.js';
import type { EventPublisher } from '../../shared/stream/stream.js';
import type { GraphAdapter, OpenGraph } from './graph-adapters.js';
import { openTcpGate, type TcpGate } from './tcp-gate.js';
import { openTemporaryPostgres, type TemporaryPostgres } from './postgres.js';

/** One command API. */
export type OutboxProcess = {
  readonly committer: OutboxCommitter;
  readonly journal: JournalReader;
  readonly cache: EmbeddingCache;
  readonly close: () => Promise<void>;
};

export type ProcessOptions = {
  readonly clock?: Clock;
  readonly failpoints?: Failpoints;
  readonly config?: Partial<CommitConfig>;
  /** In place of the graph itself. */
  readonly graph?: CommitGraph;
  /** On its way to Postgres. */
  readonly gate?: TcpGate;
};

export type OutboxStage = {
  readonly temporary: TemporaryPostgres;
  readonly graph: OpenGraph;
  readonly start: (options?: ProcessOptions) => OutboxProcess;
  readonly startRelay: (publisher: Pick<EventPublisher, 'append'>) => { readonly close: () => Promise<void> };
  /** What was started and not closed yet is closed as well. */
  readonly close: () => Promise<void>;
};

const CONFIG = commitConfig({});
const SWEEP_MS = 50;

export async function openOutboxStage(adapter: GraphAdapter): Promise<OutboxStage> {
  const resources = createResources();
  const temporary = resources.add(await openTemporaryPostgres(), ({ remove }) => remove());
  const graph = resources.add(await adapter.open(), ({ close }) => close());

  return {
    temporary,
    graph,
    start: ({ clock = systemClock, failpoints, config, gate, graph: shown = commitGraph(graph) } = {}) => {
      const postgres = temporary.another(
        gate ? { url: through(gate, temporary.config.url), connectTimeoutMs: 500, statementTimeoutMs: 2_000 } : {},
      );
      const committer = createOutboxCommitter({
        postgres,
        graph: shown,
        clock,
        logger: silentLogger,
        failpoints,
        config: { ...CONFIG, sweepMs: SWEEP_MS, ...config },
      });
      const close = once(async () => {
        await committer.close();
        await postgres.close();
      });
      resources.add(close, (end) => end());
      return {
        committer,
        journal: createPostgresJournal({ postgres }),
        cache: createPostgresEmbeddingCache({ postgres }),
        close,
      };
    },
    startRelay: (publisher) => {
      const postgres = temporary.another();
      const outbox = createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: 10_000 });
      const relay = createRelay({ outbox, publisher, logger: silentLogger, config: { batchSize: 100, pollMs: 50 } });
      const close = once(async () => {
        await relay.close();
        await outbox.close();
        await postgres.close();
      });
      resources.add(close, (end) => end());
      return { close };
    },
    close: () => resources.close(),
  };
}

/** The two ports of the graph as the committer takes them. */
export function commitGraph({ reader, writer }: OpenGraph): CommitGraph {
  return { apply: (events) => writer.apply(events), ping: () => reader.ping() };
}

export async function openPostgresGate({ config }: TemporaryPostgres): Promise<TcpGate> {
  const { hostname, port } = new URL(config.url);
  return openTcpGate({ host: hostname, port: Number(port) });
}

function through({ port }: TcpGate, url: string): string {
  const gated = new URL(url);
  gated.hostname = '127.0.0.1';
  gated.port = String(port);
  return gated.href;
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
