/**
 * Where a tenant has its data: the variables of the deployment, with a folder, or a database, topics, a collection and
 * labels of its own. Every process and every command of operators that reads them works for a tenant.
 */
import { join } from 'node:path';
import type { Environment } from '../kernel/config/config.js';
import { internalTokenOf } from '../kernel/keys.js';

/** Connections of one process for one tenant. Most tenants have few callers at a time. */
const CONNECTIONS = '4';

/** `id`: the UUID of the tenant. A variable that is missing stays missing, for the error that says so. */
export function tenantEnvironment(environment: Environment, id: string): Environment {
  const digits = id.replaceAll('-', '');
  const { POSTGRES_URL: url, INTERNAL_API_TOKEN: token } = environment;
  return {
    ...environment,
    PALIMPSEST_DATA_DIR: tenantFolder(environment['PALIMPSEST_DATA_DIR'] ?? './data', id),
    ...(url !== undefined && URL.canParse(url) && { POSTGRES_URL: withDatabase(url, digits) }),
    POSTGRES_POOL_SIZE: CONNECTIONS,
    NEO4J_NAMESPACE: `${environment['NEO4J_NAMESPACE'] ?? ''}t${digits}`,
    NEO4J_POOL_SIZE: CONNECTIONS,
    QDRANT_COLLECTION: `${environment['QDRANT_COLLECTION'] ?? 'memories'}-t${digits}`,
    KAFKA_TOPIC_PREFIX: `${environment['KAFKA_TOPIC_PREFIX'] ?? ''}t${digits}.`,
    // The process has the pages for browsers, once for all tenants.
    CONSOLE_ENABLED: 'false',
    ENABLE_GRAPH_VIEWER: 'false',
    ...(token !== undefined && { INTERNAL_API_TOKEN: internalTokenOf(token, id) }),
  };
}

/** The folder of a tenant inside the data folder of the embedded composition. */
export function tenantFolder(dataFolder: string, id: string): string {
  return join(dataFolder, 'tenants', id);
}

/** The longest name of a database, in bytes. Postgres cuts longer ones. */
const DATABASE_BYTES = 63;

function withDatabase(url: string, digits: string): string {
  const address = new URL(url);
  const suffix = `_t${digits}`;
  const database = decodeURIComponent(address.pathname.slice(1)).slice(0, DATABASE_BYTES - suffix.length);
  address.pathname = `/${encodeURIComponent(database + suffix)}`;
  return address.href;
}
