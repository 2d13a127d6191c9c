/** The variables of the commit protocol over Postgres and Neo4j. */
import { type Environment, readVariables, type Variable } from '../../../kernel/config/config.js';

export const commitVariables = [
  {
    name: 'COMMIT_LEASE_MS',
    kind: 'integer',
    minimum: 1_000,
    default: '30000',
    unit: 'ms',
    description:
      'How long a live command API may take to apply its committed events to the graph before another rolls them forward; above NEO4J_RETRY_MS and NEO4J_TRANSACTION_TIMEOUT_MS together.',
  },
  {
    name: 'COMMIT_ALIVE_MS',
    kind: 'integer',
    minimum: 1_000,
    default: '10000',
    unit: 'ms',
    description:
      'How long a command API may be stuck before others treat it as gone and roll its committed events forward.',
  },
  {
    name: 'COMMIT_PENDING_LIMIT',
    kind: 'integer',
    minimum: 1,
    default: '10000',
    description: 'Committed events that may wait for the graph; above it commands are refused with 503.',
  },
  {
    name: 'GRAPH_REBUILD',
    kind: 'flag',
    default: 'true',
    description:
      'Whether a command API rebuilds the graph from the journal as soon as it finds it emptied or put back to an earlier state. `palimpsest rebuild graph` does the same by hand.',
  },
  {
    name: 'GRAPH_REBUILD_REST_PERCENT',
    kind: 'integer',
    minimum: 0,
    maximum: 10_000,
    default: '100',
    description:
      'How long a command API pauses after each batch of a rebuild of the graph, in percent of the time of the batch: 0 is fastest, more leaves the graph to callers.',
  },
] as const satisfies readonly Variable[];

export type CommitConfig = {
  readonly leaseMs: number;
  readonly aliveMs: number;
  readonly pendingLimit: number;
  readonly rebuildsGraph: boolean;
  readonly rebuildPausePercent: number;
} & Readonly<typeof RETRIES>;

const RETRIES = {
  /** How often a command API looks for committed events that are still missing in the graph. */
  sweepMs: 1_000,
  /** How long a command API looks up a commit whose answer was lost, before it answers that the outcome is unknown. */
  lookUpMs: 5_000,
  /**
   * How often the graph may fail to apply a committed event before the event becomes a dead letter of the commit.
   * Attempts without a connection do not count.
   */
  maxAttempts: 8,
  /** The wait after the first failed attempt at a committed event; it doubles with each further one. */
  retryMinimumMs: 1_000,
  retryMaximumMs: 60_000,
};

export function commitConfig(environment: Environment): CommitConfig {
  const values = readVariables(commitVariables, environment);
  return {
    ...RETRIES,
    leaseMs: values.COMMIT_LEASE_MS,
    aliveMs: values.COMMIT_ALIVE_MS,
    pendingLimit: values.COMMIT_PENDING_LIMIT,
    rebuildsGraph: values.GRAPH_REBUILD,
    rebuildPausePercent: values.GRAPH_REBUILD_REST_PERCENT,
  };
}
