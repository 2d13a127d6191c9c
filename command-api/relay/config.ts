/** The relay's variables and the configuration made from them. */
import { readVariables, type Environment, type Variable } from '../../shared/kernel/config.js';

export const relayVariables = [
  {
    name: 'RELAY_BATCH_EVENTS',
    kind: 'integer',
    minimum: 1,
    maximum: 5_000,
    default: '500',
    description: 'Events that the relay publishes at once.',
  },
  {
    name: 'RELAY_POLL_MS',
    kind: 'integer',
    minimum: 10,
    default: '1000',
    unit: 'ms',
    description: 'How often the relay looks for events that nobody woke it for.',
  },
  {
    name: 'RELAY_LEASE_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long the leading relay may stand still before another takes over.',
  },
] as const satisfies readonly Variable[];

export type RelayConfig = { readonly batchSize: number; readonly pollMs: number; readonly leaseMs: number };

export function relayConfig(environment: Environment): RelayConfig {
  const values = readVariables(relayVariables, environment);
  return { batchSize: values.RELAY_BATCH_EVENTS, pollMs: values.RELAY_POLL_MS, leaseMs: values.RELAY_LEASE_MS };
}
