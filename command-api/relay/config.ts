/** The variables of the relay and the configuration built from them. */
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';

export const relayVariables = [
  {
    name: 'RELAY_BATCH_EVENTS',
    kind: 'integer',
    minimum: 1,
    maximum: 5_000,
    default: '500',
    description: 'Events that the relay publishes in one batch.',
  },
  {
    name: 'RELAY_POLL_MS',
    kind: 'integer',
    minimum: 10,
    default: '1000',
    unit: 'ms',
    description: 'How often the relay polls for events without a wake-up.',
  },
  {
    name: 'RELAY_LEASE_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long the leading relay may be stuck before another takes over.',
  },
] as const satisfies readonly Variable[];

export type RelayConfig = { readonly batchSize: number; readonly pollMs: number; readonly leaseMs: number };

export function relayConfig(environment: Environment): RelayConfig {
  const values = readVariables(relayVariables, environment);
  return { batchSize: values.RELAY_BATCH_EVENTS, pollMs: values.RELAY_POLL_MS, leaseMs: values.RELAY_LEASE_MS };
}
