/** `npm run rebuild -- graph [--distributed]`: brings an emptied or an older graph to the state of the journal. It may be stopped and run again. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { messageOf, PalimpsestError } from '../../../shared/kernel/errors.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { createProgressReport } from './progress-report.js';
import { rebuildDistributed } from './rebuild-distributed.js';
import { rebuildEmbedded } from './rebuild-embedded.js';

const USAGE = `Usage: npm run rebuild -- graph [--distributed]

Applies the state of the journal to the graph. Memories that the graph has already are not changed.

  graph          the data file in PALIMPSEST_DATA_DIR; stop the service first
  --distributed  Neo4j (NEO4J_*) from the journal in Postgres (POSTGRES_*); the service may run
`;

process.exitCode = await main(stopOnSignal({ advice: 'run the same command again to continue' }));

async function main(signal: AbortSignal): Promise<number> {
  const isDistributed = readArguments();
  if (isDistributed === null) {
    process.stderr.write(USAGE);
    return 1;
  }
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { report, summary } = createProgressReport(print);
  const rebuild = isDistributed ? rebuildDistributed : rebuildEmbedded;
  try {
    const { progress } = await rebuild({
      environment: readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
      logger: createLogger({ level: 'warn', stream: process.stderr }),
      onProgress: report,
      signal,
    });
    print(`The graph has the state of the journal: ${summary(progress)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof PalimpsestError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** Null for arguments that are not understood. */
function readArguments(): boolean | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { distributed: { type: 'boolean', default: false } },
    });
    return positionals.length === 1 && positionals[0] === 'graph' ? values.distributed : null;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return null;
  }
}
