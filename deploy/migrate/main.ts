/** `npm run migrate`: makes what the distributed composition stands on, or brings it to this version. Run it before the processes start. */
import { homedir } from 'node:os';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { readEnvironment } from '../../shared/kernel/environment.js';
import { PalimpsestError } from '../../shared/kernel/errors.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { migrateConfig } from './config.js';
import { runStep } from './run-step.js';
import { migrationSteps } from './steps.js';

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const { waitMs } = migrateConfig(environment);
    for (const step of migrationSteps({ environment, logger: silentLogger })) {
      const onWait = (error: Error, nextMs: number): void => console.error(`${step.name}: ${error.message}; again in ${nextMs} ms`);
      console.log(`${step.name}: ${await runStep(step, { waitMs, onWait })}`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof PalimpsestError)) throw error;
    console.error(error.message);
    return 1;
  }
}
