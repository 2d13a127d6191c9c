/** `palimpsest deletions`: writes the list of deleted memories, for a later restore. */
import { Option } from 'commander';
import { type Define, examples, wholeNumberIn, withStores } from '../host.js';
import { openDistributedJournal, openEmbeddedJournal } from './open-journal.js';
import { saveDeletions } from './save-deletions.js';

type Options = { readonly distributed?: boolean; readonly since?: number; readonly after?: string };

export const define: Define = (command, host) =>
  command
    .description(
      'Write the ids of deleted memories to a file, without any of their words, for `palimpsest restore ARCHIVE --deletions FILE`. The service may run. Without --distributed it reads the data file in PALIMPSEST_DATA_DIR.',
    )
    .argument('<file>', 'the list, such as deletions.jsonl')
    .option('--distributed', 'read the journal in Postgres (POSTGRES_*)')
    .option('--since <position>', 'only deletions after this position of the journal; default 0', wholeNumberIn(0))
    .addOption(
      new Option('--after <archive>', 'only deletions that this archive of the same journal does not have').conflicts(
        'since',
      ),
    )
    .addHelpText('after', examples('deletions deletions.jsonl --after palimpsest.tar.gz'))
    .action((file: string, { distributed, since = 0, after }: Options) =>
      withStores(host, async (context) => {
        const source = await (distributed ? openDistributedJournal : openEmbeddedJournal)(context);
        const start = after === undefined ? { since } : { archive: after };
        const list = await saveDeletions(source, { file, start, signal: context.signal });
        host.print(
          `${file} has the deletions after position ${list.since} and up to ${list.through}: ${list.deletions}.`,
        );
      }),
    );
