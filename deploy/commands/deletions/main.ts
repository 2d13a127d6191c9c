/** `npm run deletions -- FILE [--since P | --after ARCHIVE] [--distributed]`: writes the list of deleted memories, for a later restore. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { runCommand } from '../run-command.js';
import { openDistributedJournal } from './open-distributed-journal.js';
import { openEmbeddedJournal } from './open-embedded-journal.js';
import { type ListStart, saveDeletions } from './save-deletions.js';

const USAGE = `Usage: npm run deletions -- FILE [--since POSITION | --after ARCHIVE.tar.gz] [--distributed]

Writes the ids of deleted memories to FILE, without any of their words, for \`npm run restore -- ARCHIVE --deletions FILE\`. The service may run.

  (default)      the data file in PALIMPSEST_DATA_DIR
  --distributed  the journal in Postgres (POSTGRES_*)
  --since        only deletions after this position of the journal; default 0
  --after        only deletions that this archive of the same journal does not have`;

const signal = stopOnSignal();

process.exitCode = await runCommand({
  usage: USAGE,
  readArguments,
  readVariables: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  run: async ({ isDistributed, ...options }, context) => {
    const open = isDistributed ? openDistributedJournal : openEmbeddedJournal;
    const source = await open({ ...context, signal });
    const { deletions, since, through } = await saveDeletions(source, { ...options, signal });
    return [`${options.file} has the deletions after position ${since} and up to ${through}: ${deletions}.`];
  },
});

function readArguments() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      distributed: { type: 'boolean', default: false },
      since: { type: 'string' },
      after: { type: 'string' },
    },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return 'Name one file.';
  const start = startOf(values);
  return typeof start === 'string' ? start : { file, start, isDistributed: values.distributed };
}

/** A text result is the reason why the arguments are wrong. */
function startOf({
  since,
  after,
}: {
  readonly since?: string | undefined;
  readonly after?: string | undefined;
}): ListStart | string {
  if (after !== undefined) return since === undefined ? { archive: after } : 'Use --since or --after, not both.';
  const position = Number(since ?? '0');
  const isPosition = since?.trim() !== '' && Number.isSafeInteger(position) && position >= 0;
  return isPosition ? { since: position } : '--since must be a position of the journal, a whole number from 0.';
}
