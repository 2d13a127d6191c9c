/** What the relay is configured with as a process of its own. */
import { DEFAULT_PORTS, edgeConfig } from '../../shared/http/edge-variables.js';
import type { Environment } from '../../shared/kernel/config.js';
import { readParts } from '../../shared/kernel/read-parts.js';
import { startConfig } from '../../shared/kernel/start-variables.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import { kafkaConfig } from '../../shared/stream/kafka/kafka-variables.js';
import { relayConfig } from './config.js';

export type RelayProcessConfig = ReturnType<typeof relayProcessConfig>;

/** Throws one ConfigurationError with all that is wrong. */
export function relayProcessConfig(environment: Environment) {
  return readParts({
    edge: () => edgeConfig(environment, DEFAULT_PORTS.relay),
    start: () => startConfig(environment),
    relay: () => relayConfig(environment),
    postgres: () => postgresConfig(environment),
    kafka: () => kafkaConfig(environment),
  });
}
