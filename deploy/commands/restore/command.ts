/** `palimpsest restore`: restores a backup into an empty deployment whose processes are stopped. */
import { randomIds } from '../../../shared/kernel/clock.js';
import { type Define, examples, withStores } from '../host.js';
import { openDistributedTarget, openEmbeddedTarget } from './open-target.js';
import { restoreArchive } from './restore-archive.js';

type Options = { readonly distributed?: boolean; readonly deletions?: string };

export const define: Define = (command, host) =>
  command
    .description(
      'Restore a backup into an empty deployment. Stop all processes of the deployment first. Without --distributed it fills the data folder in PALIMPSEST_DATA_DIR.',
    )
    .argument('<file>', 'the archive, such as palimpsest.tar.gz')
    .option('--deletions <list>', 'delete the memories of this list again, which `palimpsest deletions` wrote')
    .option(
      '--distributed',
      'fill the servers of the command API (POSTGRES_URL, NEO4J_URL, QDRANT_URL), after `palimpsest migrate`',
    )
    .addHelpText(
      'after',
      examples('restore palimpsest.tar.gz', 'restore palimpsest.tar.gz --deletions deletions.jsonl --distributed'),
    )
    .action((file: string, { distributed, deletions: deletionsFile }: Options) =>
      withStores(host, async (context) => {
        const openTarget = () => (distributed ? openDistributedTarget : openEmbeddedTarget)(context);
        const { signal } = context;
        const { manifest, deleted } = await restoreArchive({ file, deletionsFile, openTarget, ids: randomIds, signal });
        const { counts, p1 } = manifest;
        host.print(
          `Restored the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings. The vector index is filled when the service starts.`,
        );
        if (deletionsFile !== undefined) host.print(`Memories of the list that were deleted again: ${deleted}.`);
      }),
    );
