/** `npm run restore -- FILE [--deletions LIST] [--distributed]`: restores a backup into an empty deployment whose processes are stopped. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { ArchiveError } from '../../shared/archive/archive-error.js';
import { randomIds } from '../../shared/kernel/clock.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { messageOf, PalimpsestError } from '../../shared/kernel/errors.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { stopOnSignal } from '../../shared/kernel/stop-on-signal.js';
import { embeddedConfig } from '../embedded/config.js';
import { openDistributedTarget } from './open-distributed-target.js';
import { openEmbeddedTarget } from './open-embedded-target.js';
import { restoreArchive } from './restore-archive.js';

const USAGE = `Usage: npm run restore -- FILE.tar.gz [--deletions LIST] [--distributed]

Restores a backup into an empty deployment. Stop all processes of the deployment first.

  without an option   the data folder of the embedded service (PALIMPSEST_DATA_DIR)
  --distributed       the servers of the command API (POSTGRES_URL, NEO4J_URL, QDRANT_URL, ...), after \`npm run migrate\`
  --deletions LIST    memories that were deleted after the backup, from \`npm run deletions\`: they are deleted again`;

process.exitCode = await main(stopOnSignal());

async function main(signal: AbortSignal): Promise<number> {
  const options = readArguments();
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 1;
  }
  const resources = createResources();
  try {
    const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
    const logger = createLogger({ level: 'warn', stream: process.stderr });
    const { manifest, deleted } = await restoreArchive({
      file: options.file,
      deletionsFile: options.deletionsFile,
      ids: randomIds,
      signal,
      openTarget: () =>
        options.isDistributed
          ? openDistributedTarget({ environment, logger, resources })
          : openEmbeddedTarget({
              dataFolder: embeddedConfig(environment, process.cwd()).dataFolder,
              logger,
              resources,
            }),
    });
    const { counts, p1 } = manifest;
    console.log(
      `Restored the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings. The vector index is filled when the service starts.`,
    );
    if (options.deletionsFile !== undefined) console.log(`Memories of the list that were deleted again: ${deleted}.`);
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(messageOf(error));
    return 1;
  } finally {
    await resources.close();
  }
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { distributed: { type: 'boolean', default: false }, deletions: { type: 'string' } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return 'Name one file.';
    return { file, deletionsFile: values.deletions, isDistributed: values.distributed };
  } catch (error) {
    return messageOf(error);
  }
}

function isExpected(error: unknown): boolean {
  const isKnown = [ArchiveError, ConfigurationError, PalimpsestError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && 'syscall' in error);
}
