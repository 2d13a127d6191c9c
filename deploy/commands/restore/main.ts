/** `npm run restore -- FILE [--deletions LIST] [--distributed]`: restores a backup into an empty deployment whose processes are stopped. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { randomIds } from '../../../shared/kernel/clock.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { embeddedConfig } from '../../embedded/config.js';
import { runCommand } from '../run-command.js';
import { openDistributedTarget } from './open-distributed-target.js';
import { openEmbeddedTarget } from './open-embedded-target.js';
import { restoreArchive } from './restore-archive.js';

const USAGE = `Usage: npm run restore -- FILE.tar.gz [--deletions LIST] [--distributed]

Restores a backup into an empty deployment. Stop all processes of the deployment first.

  without an option   the data folder of the embedded service (PALIMPSEST_DATA_DIR)
  --distributed       the servers of the command API (POSTGRES_URL, NEO4J_URL, QDRANT_URL, ...), after \`npm run migrate\`
  --deletions LIST    memories that were deleted after the backup, from \`npm run deletions\`: they are deleted again`;

const signal = stopOnSignal();

process.exitCode = await runCommand({
  usage: USAGE,
  readArguments,
  readVariables: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  run: async ({ file, deletionsFile, isDistributed }, { environment, logger, resources }) => {
    const { manifest, deleted } = await restoreArchive({
      file,
      deletionsFile,
      ids: randomIds,
      signal,
      openTarget: () =>
        isDistributed
          ? openDistributedTarget({ environment, logger, resources })
          : openEmbeddedTarget({
              dataFolder: embeddedConfig(environment, process.cwd()).dataFolder,
              logger,
              resources,
            }),
    });
    const { counts, p1 } = manifest;
    return [
      `Restored the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings. The vector index is filled when the service starts.`,
      ...(deletionsFile === undefined ? [] : [`Memories of the list that were deleted again: ${deleted}.`]),
    ];
  },
});

function readArguments() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { distributed: { type: 'boolean', default: false }, deletions: { type: 'string' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return 'Name one file.';
  return { file, deletionsFile: values.deletions, isDistributed: values.distributed };
}
