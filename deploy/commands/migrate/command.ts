/** `palimpsest migrate`: creates or upgrades tables, schema, topics and collection, before the processes start. */
import { migrationSteps } from '../../../command-api/open-migration-steps.js';
import { storedTenants } from '../../../command-api/open-stored-tenants.js';
import { retryStartup } from '../../../shared/kernel/concurrency/startup-retry.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { tenantEnvironment } from '../../../shared/tenants/tenant-environment.js';
import { type Define, examples, withStores } from '../host.js';

export const define: Define = (command, host) =>
  command
    .description(
      'Create or upgrade tables (POSTGRES_*), schema (NEO4J_*), topics (KAFKA_*) and collection (QDRANT_*), before the processes start, also those of each tenant. It may run again.',
    )
    .addHelpText('after', examples('migrate'))
    .action(() =>
      withStores(host, async ({ environment, logger, signal }) => {
        const { timeoutMs } = startConfig(environment);
        const migrate = async (own: Environment, prefix = ''): Promise<void> => {
          for (const { name, run } of migrationSteps({ environment: own, logger }))
            host.print(`${prefix}${name}: ${await retryStartup(name, run, { logger, signal, timeoutMs })}`);
        };
        await migrate(environment);
        for (const { id, name } of await storedTenants({ environment, logger }))
          await migrate(tenantEnvironment(environment, id), `tenant ${name}, `);
      }),
    );
