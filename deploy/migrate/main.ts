/** `npm run migrate`: makes what the distributed composition stands on, or brings it to this version. Run it before the processes start. */
import { homedir } from 'node:os';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { createLogger } from '../../shared/kernel/create-logger.js';
import { readEnvironment } from '../../shared/kernel/environment.js';
import { PalimpsestError } from '../../shared/kernel/errors.js';
import { keepTrying } from '../../shared/kernel/keep-trying.js';
import { startConfig } from '../../shared/kernel/start-variables.js';
import { migrationSteps } from './steps.js';

const told = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => told.abort(new ConfigurationError([`stopped by ${signal} before the end`])));
process.exitCode = await main(told.signal);

async function main(signal: AbortSignal): Promise<number> {
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    const { timeoutMs } = startConfig(environment);
    for (const { name, run } of migrationSteps({ environment, logger })) {
      process.stdout.write(`${name}: ${await keepTrying(name, run, { logger, signal, timeoutMs })}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof PalimpsestError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
