/** The configuration of the relay as a separate process. */
import { kafkaConfig } from '../../shared/engines/kafka/kafka-variables.js';
import { postgresConfig } from '../../shared/engines/postgres/connection/postgres-variables.js';
import { DEFAULT_PORTS, probeConfig } from '../../shared/http/edge-variables.js';
import type { Environment } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
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
