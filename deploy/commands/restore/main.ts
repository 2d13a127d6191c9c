/** `npm run restore -- FILE`: restores a backup into an empty deployment whose processes are stopped. */
import { randomIds } from '../../../shared/kernel/clock.js';
import { runCommand, withStores } from '../run-command.js';
import { openDistributedTarget, openEmbeddedTarget } from './open-target.js';
import { restoreArchive } from './restore-archive.js';

process.exitCode = await runCommand({
  usage: `Usage: npm run restore -- FILE.tar.gz [--deletions LIST] [--distributed]

Restores a backup into an empty deployment. Stop all processes of the deployment first.

  without an option   the data folder of the embedded service (PALIMPSEST_DATA_DIR)
  --distributed       the servers of the command API (POSTGRES_URL, NEO4J_URL, QDRANT_URL, ...), after \`npm run migrate\`
  --deletions LIST    memories that were deleted after the backup, from \`npm run deletions\`: they are deleted again`,
  argument: 'file',
  flags: { distributed: { type: 'boolean', default: false }, deletions: { type: 'string' } },
  run: ({ distributed, deletions: deletionsFile }, file) =>
    withStores(process.env, async (context) => {
      const openTarget = () => (distributed ? openDistributedTarget : openEmbeddedTarget)(context);
      const { signal } = context;
      const { manifest, deleted } = await restoreArchive({ file, deletionsFile, openTarget, ids: randomIds, signal });
      const { counts, p1 } = manifest;
      console.log(
        `Restored the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings. The vector index is filled when the service starts.`,
      );
      if (deletionsFile !== undefined) console.log(`Memories of the list that were deleted again: ${deleted}.`);
      return 0;
    }),
});
