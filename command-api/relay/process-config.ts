/** The configuration of the relay as a separate process. */
import { DEFAULT_PORTS, probeConfig } from '../../shared/http/edge-variables.js';
import type { Environment } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import { kafkaConfig } from '../../shared/stream/kafka/kafka-variables.js';
import { relayConfig } from './config.js';

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
