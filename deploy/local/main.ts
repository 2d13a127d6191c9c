/** `npm run local -- COMMAND`: the distributed composition on one machine, without Docker. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { runCommandLine } from './command-line.js';
import { localConfig } from './config.js';
import { createLocal } from './local.js';
import { LaunchError } from './programs/program.js';

/** This file runs compiled, from `dist/deploy/local`. */
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(line: readonly string[]): Promise<number> {
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const config = localConfig(environment, process.cwd());
    const shutdown = new AbortController();
    const local = await createLocal({
      config,
      environment,
      repository: REPOSITORY,
      report: (text) => console.error(text),
      shutdownSignal: shutdown.signal,
    });
    return await runCommandLine(line, { local, config, host: process, shutdown });
  } catch (error) {
    if (!(error instanceof LaunchError) && !(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    return 1;
  }
}
