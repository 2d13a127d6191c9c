/** `npm run migrate`: creates the tables, schema, topics and collection of the distributed composition, or upgrades them. Run it before the processes start. */
import { homedir } from 'node:os';
import { retryStartup } from '../../../shared/kernel/concurrency/startup-retry.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { PalimpsestError } from '../../../shared/kernel/errors.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { migrationSteps } from './migration-steps.js';

process.exitCode = await main(stopOnSignal());

async function main(signal: AbortSignal): Promise<number> {
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    const { timeoutMs } = startConfig(environment);
    for (const { name, run } of migrationSteps({ environment, logger })) {
      process.stdout.write(`${name}: ${await retryStartup(name, run, { logger, signal, timeoutMs })}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof PalimpsestError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
