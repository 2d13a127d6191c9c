/** `npm run migrate`: creates or upgrades tables, schema, topics and collection, before the processes start. */
import { retryStartup } from '../../../shared/kernel/concurrency/startup-retry.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { runCommand, withStores } from '../run-command.js';
import { migrationSteps } from './migration-steps.js';

process.exitCode = await runCommand({
  usage: 'Usage: npm run migrate',
  flags: {},
  run: () =>
    withStores(process.env, async ({ environment, logger, signal }) => {
      const { timeoutMs } = startConfig(environment);
      for (const { name, run } of migrationSteps({ environment, logger }))
        console.log(`${name}: ${await retryStartup(name, run, { logger, signal, timeoutMs })}`);
      return 0;
    }),
});
