/** The variables of the relay and the configuration built from them. */
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';

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
