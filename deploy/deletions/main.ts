/** `npm run deletions -- FILE [--since P | --after ARCHIVE] [--distributed]`: writes the list of deleted memories, for a later restore. */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { ArchiveError } from '../../shared/archive/archive-error.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { messageOf, PalimpsestError } from '../../shared/kernel/errors.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { stopOnSignal } from '../../shared/kernel/stop-on-signal.js';
import { openDistributedJournal } from './open-distributed-journal.js';
import { openEmbeddedJournal } from './open-embedded-journal.js';
import { type ListStart, saveDeletions } from './save-deletions.js';

const USAGE = `Usage: npm run deletions -- FILE [--since POSITION | --after ARCHIVE.tar.gz] [--distributed]

Writes the ids of deleted memories to FILE, without any of their words, for \`npm run restore -- ARCHIVE --deletions FILE\`. The service may run.

  (default)      the data file in PALIMPSEST_DATA_DIR
  --distributed  the journal in Postgres (POSTGRES_*)
  --since        only deletions after this position of the journal; default 0
  --after        only deletions that this archive of the same journal does not have`;

process.exitCode = await main(stopOnSignal());

async function main(signal: AbortSignal): Promise<number> {
  const options = readArguments();
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 1;
  }
  const resources = createResources();
  try {
    const open = options.isDistributed ? openDistributedJournal : openEmbeddedJournal;
    const source = await open({
      environment: readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
      logger: createLogger({ level: 'warn', stream: process.stderr }),
      resources,
      signal,
    });
    const { deletions, since, through } = await saveDeletions(source, { ...options, signal });
    console.log(`${options.file} has the deletions after position ${since} and up to ${through}: ${deletions}.`);
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
  } catch (error) {
    return messageOf(error);
  }
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

function isExpected(error: unknown): boolean {
  const isKnown = [ArchiveError, ConfigurationError, PalimpsestError].some((known) => error instanceof known);
  return isKnown || (error instanceof Error && 'syscall' in error);
}
