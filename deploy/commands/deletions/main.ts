/** `npm run deletions -- FILE`: writes the list of deleted memories, for a later restore. */
import { runCommand, UsageError, withStores } from '../run-command.js';
import { openDistributedJournal, openEmbeddedJournal } from './open-journal.js';
import { type ListStart, saveDeletions } from './save-deletions.js';

process.exitCode = await runCommand({
  usage: `Usage: npm run deletions -- FILE [--since POSITION | --after ARCHIVE.tar.gz] [--distributed]

Writes the ids of deleted memories to FILE, without any of their words, for \`npm run restore -- ARCHIVE --deletions FILE\`. The service may run.

  (default)      the data file in PALIMPSEST_DATA_DIR
  --distributed  the journal in Postgres (POSTGRES_*)
  --since        only deletions after this position of the journal; default 0
  --after        only deletions that this archive of the same journal does not have`,
  argument: 'file',
  flags: { distributed: { type: 'boolean', default: false }, since: { type: 'string' }, after: { type: 'string' } },
  run: async ({ distributed, since, after }, file) => {
    const start = startOf(since, after);
    return withStores(process.env, async (context) => {
      const source = await (distributed ? openDistributedJournal : openEmbeddedJournal)(context);
      const list = await saveDeletions(source, { file, start, signal: context.signal });
      console.log(
        `${file} has the deletions after position ${list.since} and up to ${list.through}: ${list.deletions}.`,
      );
      return 0;
    });
  },
});

function startOf(since: string | undefined, after: string | undefined): ListStart {
  if (after !== undefined && since !== undefined) throw new UsageError('Use --since or --after, not both.');
  if (after !== undefined) return { archive: after };
  const position = Number(since ?? '0');
  if (since?.trim() === '' || !Number.isSafeInteger(position) || position < 0)
    throw new UsageError('--since must be a position of the journal, a whole number from 0.');
  return { since: position };
}
