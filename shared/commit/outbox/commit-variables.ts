/** The variables of the commit protocol over Postgres and Neo4j. */
import { type Environment, readVariables, type Variable } from '../../kernel/config/config.js';

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
    name: 'COMMIT_SWEEP_MS',
    kind: 'integer',
    minimum: 10,
    default: '1000',
    unit: 'ms',
    description: 'How often a command API looks for committed events that are still missing in the graph.',
  },
  {
    name: 'COMMIT_PENDING_LIMIT',
    kind: 'integer',
    minimum: 1,
    default: '10000',
    description: 'Committed events that may wait for the graph; above it commands are refused with 503.',
  },
  {
    name: 'COMMIT_LOOKUP_MS',
    kind: 'integer',
    minimum: 100,
    default: '5000',
    unit: 'ms',
    description:
      'How long a command API looks up a commit whose answer was lost, before it answers that the outcome is unknown.',
  },
  {
    name: 'COMMIT_RETRY_AFTER_SECONDS',
    kind: 'integer',
    minimum: 1,
    default: '2',
    unit: 'seconds',
    description: 'The `Retry-After` of commands that are refused while the graph is down or too far behind.',
  },
] as const satisfies readonly Variable[];

export type CommitConfig = {
  readonly leaseMs: number;
  readonly aliveMs: number;
  readonly sweepMs: number;
  readonly pendingLimit: number;
  readonly lookUpMs: number;
  readonly retryAfterSeconds: number;
};

export function commitConfig(environment: Environment): CommitConfig {
  const values = readVariables(commitVariables, environment);
  return {
    leaseMs: values.COMMIT_LEASE_MS,
    aliveMs: values.COMMIT_ALIVE_MS,
    sweepMs: values.COMMIT_SWEEP_MS,
    pendingLimit: values.COMMIT_PENDING_LIMIT,
    lookUpMs: values.COMMIT_LOOKUP_MS,
    retryAfterSeconds: values.COMMIT_RETRY_AFTER_SECONDS,
  };
}
