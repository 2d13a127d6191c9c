/**
 * The outbox commit protocol over a temporary Postgres and any graph, with a relay, for tests with several processes.
 */
import { createRelay } from '../../../command-api/relay/relay.js';
import type { CommitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import { commitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import {
  createOutboxCommitter,
  type OutboxCommitter,
} from '../../../shared/engines/postgres/commit/outbox-committer.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Failpoints } from '../../../shared/ports/committer.js';
import type { EmbeddingCache } from '../../../shared/ports/embedder.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { EventPublisher } from '../../../shared/ports/stream.js';
import { openTcpGate, type TcpGate } from '../faults/tcp-gate.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../servers/postgres.js';
import type { GraphAdapter, OpenGraph } from './graphs.js';

/** The parts of one command API process. */
export type OutboxProcess = {
  readonly committer: OutboxCommitter;
  readonly journal: JournalReader;
  readonly cache: EmbeddingCache;
  readonly close: () => Promise<void>;
};

export type ProcessOptions = {
  readonly failpoints?: Failpoints;
  readonly config?: Partial<CommitConfig>;
  /** Replaces the graph. */
  readonly graph?: CommitGraph;
  /** A gate between this process and Postgres. */
  readonly gate?: TcpGate;
};

export type OutboxSetup = {
  readonly temporary: TemporaryPostgres;
  readonly graph: OpenGraph;
  readonly start: (options?: ProcessOptions) => OutboxProcess;
  /** `gate`: between the relay and Postgres. */
  readonly startRelay: (
    publisher: Pick<EventPublisher, 'append'>,
    gate?: TcpGate,
  ) => { readonly close: () => Promise<void> };
  /** Also closes each process and relay that is still open. */
  readonly close: () => Promise<void>;
};

const CONFIG = commitConfig({});
const SWEEP_MS = 50;

export async function openOutboxSetup(
  adapter: GraphAdapter,
  openPostgres: () => Promise<TemporaryPostgres> = openTemporaryPostgres,
): Promise<OutboxSetup> {
  const resources = createResources();
  const temporary = resources.add(await openPostgres(), ({ remove }) => remove());
  const graph = resources.add(await adapter.open(), ({ close }) => close());

  const openBehind = (gate: TcpGate | undefined): Postgres =>
    temporary.openAnother(
      gate ? { url: gatedUrl(gate, temporary.config.url), connectTimeoutMs: 500, statementTimeoutMs: 2_000 } : {},
    );

  return {
    temporary,
    graph,
    start: ({ failpoints, config, gate, graph: commitTo = commitGraph(graph) } = {}) => {
      const postgres = openBehind(gate);
      const committer = createOutboxCommitter({
        postgres,
        graph: commitTo,
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
        cache: postgresRecords(postgres).cache,
        close,
      };
    },
    startRelay: (publisher, gate) => {
      const postgres = openBehind(gate);
      const outbox = createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: 10_000 });
      const { deadLetters } = postgresRecords(postgres);
      const config = { batchSize: 100, pollMs: 50 };
      const relay = createRelay({ outbox, publisher, deadLetters, logger: silentLogger, config });
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

/** Combines the two graph ports into the one that the committer needs. */
export function commitGraph({ reader, writer }: OpenGraph): CommitGraph {
  return { apply: (events, limits) => writer.apply(events, limits), ping: () => reader.ping() };
}

export async function openPostgresGate({ config }: TemporaryPostgres): Promise<TcpGate> {
  const { hostname, port } = new URL(config.url);
  return openTcpGate({ host: hostname, port: Number(port) });
}

export function gatedUrl({ port }: TcpGate, url: string): string {
  const gated = new URL(url);
  gated.hostname = '127.0.0.1';
  gated.port = String(port);
  return gated.href;
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
