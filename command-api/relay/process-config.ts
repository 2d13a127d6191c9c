/** The configuration of the relay as a separate process. */
import { kafkaConfig } from '../../shared/engines/kafka/kafka-variables.js';
import { postgresConfig } from '../../shared/engines/postgres/connection/postgres-variables.js';
import { DEFAULT_PORTS, probeConfig } from '../../shared/http/edge-variables.js';
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';

export type RelayProcessConfig = ReturnType<typeof relayProcessConfig>;

/** Throws one ConfigurationError with all problems. */
export function relayProcessConfig(environment: Environment) {
  return readParts({
    edge: () => probeConfig(environment, DEFAULT_PORTS.relay),
    start: () => startConfig(environment),
    relay: () => relayConfig(environment),
    postgres: () => postgresConfig(environment),
    kafka: () => kafkaConfig(environment),
  });
}

export const relayVariables = [
  {
    name: 'RELAY_LEASE_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long the leading relay may be stuck before another takes over.',
  },
] as const satisfies readonly Variable[];

/** Events that the relay publishes in one batch. */
const BATCH_EVENTS = 500;
/** How often the relay polls for events without a wake-up. */
const POLL_MS = 1_000;

export type RelayConfig = { readonly batchSize: number; readonly pollMs: number; readonly leaseMs: number };

export function relayConfig(environment: Environment): RelayConfig {
  const values = readVariables(relayVariables, environment);
  return { batchSize: BATCH_EVENTS, pollMs: POLL_MS, leaseMs: values.RELAY_LEASE_MS };
}
