/** Leases that are short enough for a test to wait for, and longer than their work on a busy machine. */
export const FLEET_VARIABLES: Readonly<Record<string, string>> = {
  COMMIT_LEASE_MS: '6000',
  NEO4J_RETRY_MS: '2000',
  NEO4J_TRANSACTION_TIMEOUT_MS: '3000',
  COMMIT_ALIVE_MS: '4000',
  RELAY_LEASE_MS: '5000',
  KAFKA_SESSION_TIMEOUT_MS: '6000',
};
/**
 * Readers hold no lease. On a busy machine the times above would be too short for a recall, and its 503 would look like
 * a fault.
 */
export const QUERY_VARIABLES: Readonly<Record<string, string>> = {
  NEO4J_RETRY_MS: '5000',
  NEO4J_TRANSACTION_TIMEOUT_MS: '20000',
  RECALL_SOURCE_TIMEOUT_MS: '10000',
};
/** Longer than each lease above. */
export const ALL_LEASES_EXPIRED_MS = 9_000;

/** Variables for a projectors process without the enricher. */
export const WITHOUT_ENRICHER: Readonly<Record<string, string>> = { PROJECTORS: 'vector-indexer,access-recorder' };
