/** Reads the tenants of the distributed composition, for commands of operators. */
import { postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { usePostgres } from '../shared/engines/postgres/open.js';
import type { Environment } from '../shared/kernel/config/config.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { Tenant } from '../shared/ports/tenants.js';

/** Those of the deployment, each with data of its own. */
export async function storedTenants({
  environment,
  logger,
}: {
  readonly environment: Environment;
  readonly logger: Logger;
}): Promise<readonly Tenant[]> {
  const config = postgresConfig(environment);
  const tenants = await usePostgres({ config, logger }, ({ tenants: records }) => records.list());
  return tenants.filter(({ state }) => state !== 'deleting');
}
