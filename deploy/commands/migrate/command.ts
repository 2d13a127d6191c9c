/** `palimpsest migrate`: creates or upgrades tables, schema, topics and collection, before the processes start. */
import { retryStartup } from '../../../shared/kernel/concurrency/startup-retry.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { type Define, examples, withStores } from '../host.js';
import { migrationSteps } from './migration-steps.js';

export const define: Define = (command, host) =>
  command
    .description(
      'Create or upgrade tables (POSTGRES_*), schema (NEO4J_*), topics (KAFKA_*) and collection (QDRANT_*), before the processes start. It may run again.',
    )
    .addHelpText('after', examples('migrate'))
    .action(() =>
      withStores(host, async ({ environment, logger, signal }) => {
        const { timeoutMs } = startConfig(environment);
        for (const { name, run } of migrationSteps({ environment, logger }))
          host.print(`${name}: ${await retryStartup(name, run, { logger, signal, timeoutMs })}`);
      }),
    );
