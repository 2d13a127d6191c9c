/** `npm run verify [-- --distributed]`: compares journal, graph and vector index. Exit code 0: no difference; 1: differences; 2: no comparison. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { compareStores } from '../../../shared/integrity/comparison/compare-stores.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { messageOf, PalimpsestError } from '../../../shared/kernel/errors.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { openDistributed } from './open-distributed.js';
import { openEmbedded } from './open-embedded.js';
import { reportLines } from './report.js';

const USAGE = `Usage: npm run verify -- [--distributed] [--wait SECONDS] [--all] [--json]

Compares the journal, the graph and the vector index, also while the service runs. Exit code 0 without a difference, 1 with differences,
2 when it could not compare.

  (default)      the data file in PALIMPSEST_DATA_DIR
  --distributed  Postgres (POSTGRES_*), Neo4j (NEO4J_*) and Qdrant (QDRANT_*), with the variables of the query API
  --wait         how long a difference may last that comes from a write under way; default 30
  --all          prints all subjects, not only the first ten of each kind
  --json         prints the result as one JSON object
`;
const LONGEST_WAIT_SECONDS = 3_600;

type Options = {
  readonly distributed: boolean;
  readonly all: boolean;
  readonly json: boolean;
  readonly waitSeconds: number;
};

process.exitCode = await main(stopOnSignal());

async function main(signal: AbortSignal): Promise<number> {
  const options = readOptions();
  if (options === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const resources = createResources();
  try {
    const open = options.distributed ? openDistributed : openEmbedded;
    const stores = await open({
      environment: readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
      logger: createLogger({ level: 'warn', stream: process.stderr }),
      resources,
      signal,
    });
    const result = await compareStores(stores, { settleMs: options.waitSeconds * 1_000, signal });
    const lines = options.json ? [JSON.stringify(result)] : reportLines(result, options);
    process.stdout.write(`${lines.join('\n')}\n`);
    return result.differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !(error instanceof PalimpsestError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  } finally {
    await resources.close();
  }
}

/** Null for arguments that are not understood. */
function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        distributed: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        wait: { type: 'string', default: '30' },
      },
    });
    const waitSeconds = Number(values.wait);
    const isValid = values.wait.trim() !== '' && waitSeconds >= 0 && waitSeconds <= LONGEST_WAIT_SECONDS;
    return isValid ? { ...values, waitSeconds } : null;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return null;
  }
}
