/** Opens Neo4j and gives each port that it implements. */
import type { Resources } from '../../kernel/concurrency/resources.js';
import { retryStartup, type StartupRetry } from '../../kernel/concurrency/startup-retry.js';
import { PalimpsestError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../kernel/metrics/metrics.js';
import { connectNeo4j } from './connection/connect-neo4j.js';
import type { Neo4jConfig } from './connection/neo4j-variables.js';
import type { Neo4j } from './neo4j.js';
import { createNeo4jGraphInspector } from './neo4j-graph-inspector.js';
import { createNeo4jGraphMark } from './neo4j-graph-mark.js';
import { createNeo4jGraphReader } from './neo4j-graph-reader.js';
import { createNeo4jGraphScan } from './neo4j-graph-scan.js';
import { createNeo4jGraphWriter } from './neo4j-graph-writer.js';
import { dropNeo4jSchema, ensureNeo4jSchema, requireNeo4jSchema } from './schema/schema.js';
import { type WarmUp, warmUp } from './warm-up.js';
import { wipeGraph } from './wipe-graph.js';

export type Neo4jPorts = ReturnType<typeof neo4jPorts>;

/** In ms: the server ends a search after it. */
type Limits = { readonly searchTimeoutMs?: number };

/** The ports over one driver. Making them calls nothing. */
export function neo4jPorts(neo4j: Neo4j, limits: Limits = {}) {
  return {
    graph: createNeo4jGraphReader({ neo4j, ...limits }),
    graphWriter: createNeo4jGraphWriter({ neo4j }),
    inspector: createNeo4jGraphInspector({ neo4j }),
    graphScan: createNeo4jGraphScan({ neo4j }),
    // A member that lags must not be taken for a graph that was put back.
    graphMark: createNeo4jGraphMark({ neo4j: { ...neo4j, read: neo4j.readAtLeader } }),
    /** Creates the constraints and indexes that are absent. */
    ensureSchema: () => ensureNeo4jSchema(neo4j),
    /** Deletes everything that was made from the journal. */
    wipe: () => wipeGraph(neo4j),
    /** Deletes the graph with its constraints and indexes. */
    drop: async () => {
      await wipeGraph(neo4j);
      await dropNeo4jSchema(neo4j);
    },
  };
}

/** Connects once, for a command. Throws as `connectNeo4j` does. */
export async function openNeo4jOnce({
  config,
  logger,
  resources,
}: {
  readonly config: Neo4jConfig;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<Neo4jPorts> {
  return neo4jPorts(resources.add(await connectNeo4j({ config, logger }), (opened) => opened.close()));
}

/**
 * For a process: waits for the server, checks the version of the graph's schema, and runs the statements whose first
 * use is slow.
 */
export async function openNeo4j({
  config,
  warmUp: statements,
  readsAtMembers = false,
  metrics = NO_METRICS,
  resources,
  startupRetry,
  ...limits
}: Limits & {
  readonly config: Neo4jConfig;
  /** For a process that reads and never writes: in a cluster, all members answer its reads. */
  readonly readsAtMembers?: boolean;
  readonly metrics?: Pick<Metrics, 'count'>;
  /** Null: callers wait for the plan of each statement at its first use. */
  readonly warmUp: WarmUp | null;
  readonly resources: Resources;
  readonly startupRetry: StartupRetry;
}): Promise<Neo4jPorts> {
  const { logger } = startupRetry;
  const address = neo4jAddress(config);
  const connect = () => connectNeo4j({ config, logger, readsAtMembers, metrics });
  const connected = await retryStartup(address, connect, startupRetry);
  const neo4j = resources.add(connected, (opened) => opened.close());
  await retryStartup(address, () => requireNeo4jSchema(neo4j), startupRetry);
  if (statements === null) return neo4jPorts(neo4j, limits);
  try {
    // A plan that takes longer than a transaction may is lost. The others are kept, so the next attempt gets further.
    await retryStartup(`The first statements of ${address}`, () => warmUp(neo4j, statements), {
      ...startupRetry,
      timeoutMs: WARM_UP_MS,
    });
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    logger.warn({ waitedMs: WARM_UP_MS }, 'neo4j warm-up failed: first calls take longer');
  }
  return neo4jPorts(neo4j, limits);
}

/** A process serves without all plans after this time. */
const WARM_UP_MS = 60_000;

/** The name of this server in messages; its address holds no credentials. */
export function neo4jAddress({ url }: Neo4jConfig): string {
  return `Neo4j at ${url}`;
}
