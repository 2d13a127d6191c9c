/** The processes of the simulated deployment, composed of the parts of production over simulated engines. */
import { createHash } from 'node:crypto';
import { type CommandApi, createCommandApi } from '../../../command-api/command-api.js';
import { commandConfig } from '../../../command-api/config.js';
import { openCommitter } from '../../../command-api/open-committer.js';
import { relayConfig } from '../../../command-api/relay/process-config.js';
import { createRelay } from '../../../command-api/relay/relay.js';
import { type RunningProjector, runProjector } from '../../../projectors/run-projector.js';
import { createMarkedIndexer } from '../../../projectors/vector-indexer/marked-indexer.js';
import { createVectorIndexer } from '../../../projectors/vector-indexer/vector-indexer.js';
import { createAwaitPosition } from '../../../query-api/consistency/await-position.js';
import { createConsistentRead } from '../../../query-api/consistency/consistent-read.js';
import { createIndexStateAt } from '../../../query-api/consistency/index-state.js';
import { createProgress } from '../../../query-api/consistency/progress.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../shared/contract/operations.js';
import { createKafkaStream } from '../../../shared/engines/kafka/kafka-stream.js';
import { kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { createKafkaPublisher } from '../../../shared/engines/kafka/publisher/kafka-publisher.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import type { Neo4jPorts } from '../../../shared/engines/neo4j/open.js';
import { commitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import { postgresPorts } from '../../../shared/engines/postgres/open.js';
import type { BodyReply, RequestContext } from '../../../shared/http/handler.js';
import { createCheckMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import { requireSameJournal } from '../../../shared/integrity/journal-mark/watch-mark.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import type { Embedder, EmbeddingCache } from '../../../shared/ports/embedder.js';
import { createSimulatedPostgres } from '../postgres/simulated-postgres.js';
import type { SimulatedServer } from '../postgres/simulated-server.js';
import type { SimulatedGraph } from '../stores/simulated-graph.js';
import type { SimulatedIndex } from '../stores/simulated-index.js';
import type { SimulatedProcess, World } from '../world/world.js';

export type Engines = {
  readonly world: World;
  readonly server: SimulatedServer;
  readonly graph: SimulatedGraph;
  readonly index: SimulatedIndex;
};

export type RunningApi = {
  readonly process: SimulatedProcess;
  readonly handlers: CommandApi['handlers'];
  /** What health reports about graph and journal; null for nothing. */
  readonly problem: () => string | null;
};

/** Records warnings and errors in the schedule. */
export function loggerOf(world: World, process: SimulatedProcess): Logger {
  const note = (fields: object, message: string): void => {
    const { err } = fields as { readonly err?: unknown };
    world.record(process.name, `logs: ${message}${err === undefined ? '' : ` (${messageOf(err)})`}`);
  };
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: note,
    error: note,
    child: () => logger,
  };
  return logger;
}

/** Resolves when the process serves; never for one that crashes before. */
export async function startCommandApi(
  { world, server, graph }: Engines,
  process: SimulatedProcess,
): Promise<RunningApi> {
  const logger = loggerOf(world, process);
  const postgres = postgresPorts(createSimulatedPostgres({ world, server, process }));
  const ports = graph.portsOf(process);
  const { committer, graphState } = await openCommitter({
    postgres,
    // The processes of the simulation use no other ports of the graph.
    neo4j: ports as unknown as Neo4jPorts,
    tenant: null,
    config: commitConfig({}),
    logger,
    metrics: NO_METRICS,
    resources: createResources(),
    startupRetry: { logger, signal: new AbortController().signal, timeoutMs: 0 },
  });
  const { handlers } = createCommandApi({
    ...postgres,
    graph: ports.graph as never,
    graphWriter: { recordAccess: () => Promise.resolve() },
    inspector: {} as never,
    vectors: null,
    vectorSize: () => 4,
    committer,
    graphState,
    tenant: null,
    tenants: null,
    language: {
      name: 'none',
      classify: () => Promise.resolve(null),
      summarize: () => Promise.resolve(null),
      describe: () => Promise.resolve(null),
    },
    clock: systemClock,
    ids: randomIds,
    logger,
    config: commandConfig({}),
  });
  return {
    process,
    handlers,
    problem: () => {
      try {
        requireSameJournal(graphState.finding());
      } catch (error) {
        return messageOf(error);
      }
      const finding = graphState.finding();
      return 'problem' in finding ? finding.problem : null;
    },
  };
}

const KAFKA = kafkaConfig({ KAFKA_BROKERS: 'simulated:9092', KAFKA_PARTITIONS: '4' });
export const EVENT_TOPIC = eventTopic(KAFKA);

export async function startRelay({ world, server }: Engines, process: SimulatedProcess): Promise<void> {
  const logger = loggerOf(world, process);
  const postgres = postgresPorts(createSimulatedPostgres({ world, server, process }));
  const config = relayConfig({});
  const publisher = createKafkaPublisher({ config: KAFKA, topicRecords: postgres.topicRecords, logger });
  await publisher.connect();
  const outbox = postgres.createOutbox({ logger, leaseMs: config.leaseMs });
  createRelay({ outbox, publisher, deadLetters: postgres.deadLetters, logger, config });
}

/** Each text has a vector of its own. */
export function vectorOf(text: string): Float32Array {
  return new Float32Array([...createHash('sha256').update(text).digest().subarray(0, 4)].map((byte) => byte + 1));
}

/** An embedder that takes no time. */
const EMBEDDER: Embedder = {
  model: 'simulated-4',
  dimension: 4,
  embed: (texts) => Promise.resolve(texts.map(vectorOf)),
  close: () => Promise.resolve(),
};
const NO_CACHE: EmbeddingCache = {
  get: () => Promise.resolve(new Map()),
  put: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

export async function startIndexer(
  { world, server, index }: Engines,
  process: SimulatedProcess,
): Promise<RunningProjector> {
  const logger = loggerOf(world, process);
  const { journal, identity, outbox, topicRecords, deadLetters, projectorStates } = postgresPorts(
    createSimulatedPostgres({ world, server, process }),
  );
  const source = createKafkaStream({ config: KAFKA, journal, outbox, topicRecords, logger });
  const { writer, mark } = index.portsOf(process);
  const projector = createMarkedIndexer({
    indexer: createVectorIndexer({ embedder: EMBEDDER, cache: NO_CACHE, vectors: writer }),
    marks: { journal: identity, index: mark },
  });
  return runProjector({
    projector,
    source,
    journal,
    deadLetters,
    states: projectorStates,
    logger,
    clock: systemClock,
    instance: process.name,
  });
}

/** How long a read waits for its position. */
const WAIT_MS = 2_000;
type Shown = Pick<ReplyOf<'recall'>, 'consistency'>;

/** What a read with a receipt found: what its reply says, and what the graph has. A deleted memory is null. */
export type ReceiptRead = { readonly isGraphShown: boolean; readonly version: number; readonly memory: Memory | null };
export type RunningQueryApi = {
  readonly process: SimulatedProcess;
  readonly read: (id: MemoryId, position: number) => Promise<ReceiptRead>;
};

export function startQueryApi({ world, server, graph, index }: Engines, process: SimulatedProcess): RunningQueryApi {
  const logger = loggerOf(world, process);
  const postgres = postgresPorts(createSimulatedPostgres({ world, server, process }));
  const ports = { ...postgres, vectors: index.portsOf(process).reader, logger };
  const { graph: reader, graphMark } = graph.portsOf(process);
  const awaitPosition = createAwaitPosition({
    ...ports,
    graph: reader,
    progress: createProgress(ports),
    indexStateAt: createIndexStateAt(ports),
    checkMark: createCheckMark({ journal: postgres.identity, graph: graphMark }),
  });
  const consistently = createConsistentRead({
    awaitPosition,
    awaitHead: () => Promise.resolve(null),
    waitMs: WAIT_MS,
  });
  return {
    process,
    read: async (id, position) => {
      let shown: Omit<ReceiptRead, 'isGraphShown'> = { version: 0, memory: null };
      const read = consistently('index_and_graph', async (): Promise<BodyReply<Shown>> => {
        const [[found], tombstones] = [await reader.memories([id]), await reader.tombstones([id])];
        shown = { version: found?.version ?? tombstones.get(id)?.version ?? 0, memory: found?.memory ?? null };
        return { status: 200, body: {} };
      });
      // The read uses no other part of its context.
      const context = { signal: new AbortController().signal } as RequestContext;
      const { body } = await read({ query: { consistent_with: position }, context });
      return { isGraphShown: body.consistency?.graph === true, ...shown };
    },
  };
}
