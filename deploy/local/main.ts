/** `npm run local -- COMMAND`: the distributed composition on one machine, without Docker. */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { readEnvironment } from '../../shared/kernel/environment.js';
import { localConfig } from './config.js';
import { createLocal } from './create-local.js';
import { LaunchError } from './launch-error.js';
import { runLine } from './run-line.js';

/** The compiled file stands in `dist/deploy/local`. */
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(line: readonly string[]): Promise<number> {
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const config = localConfig(environment, process.cwd());
    const told = new AbortController();
    const local = await createLocal({
      config,
      environment,
      repository: REPOSITORY,
      say: (text) => console.error(text),
      told: told.signal,
    });
    return await runLine(line, { local, config, host: process, told });
  } catch (error) {
    if (!(error instanceof LaunchError) && !(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    return 1;
  }
}
