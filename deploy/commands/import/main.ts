/** `npm run import -- FILE`: imports lines of memories, an archive of AutoMem, or the file of MCP's `memory` server. A second run continues a stopped one. */
import { stat } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { Client } from '../../../shared/client/client.js';
import { createClient } from '../../../shared/client/http-client.js';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import { importMemories } from './import-memories.js';
import { importRecords } from './import-records.js';
import { type ImportArguments, readArguments, USAGE } from './read-arguments.js';
import { recognizeFile } from './recognize-file.js';
import { ImportStopped } from './send-batch.js';
import type { Sent } from './send-records.js';

/** Long enough that a restart of the service does not end an import. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const REQUEST_TIMEOUT_MS = 60_000;
const EXIT = { done: 0, stopped: 1, leftOut: 2 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readArguments(process.env);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return EXIT.stopped;
  }
  const client = createClient({
    ...options,
    userAgent: 'palimpsest-import',
    retryDelaysMs: RETRY_DELAYS_MS,
    timeoutMs: REQUEST_TIMEOUT_MS,
  });
  try {
    const format = await recognizeFile(options.file);
    const leftOut =
      format === 'lines' ? await runLines({ ...options, client }) : await runRecords({ ...options, client, format });
    return leftOut > 0 ? EXIT.leftOut : EXIT.done;
  } catch (error) {
    if (isFileError(error)) console.error(`The file cannot be read: ${error.message}`);
    else if (error instanceof ArchiveError) console.error(`Nothing was imported. ${error.message}.`);
    else if (error instanceof ImportStopped)
      console.error(`Stopped: ${error.message}. Run the same command again to continue.`);
    else throw error;
    return EXIT.stopped;
  }
}

type RunOptions = ImportArguments & { readonly client: Client };

/** Returns the number of lines that were left out. */
async function runLines(options: RunOptions): Promise<number> {
  const bar = new SingleBar(
    { format: '{bar} {percentage}% | {stored} stored, {leftOut} left out | {eta_formatted} to go' },
    Presets.shades_classic,
  );
  bar.start((await stat(options.file)).size, 0, { stored: 0, leftOut: 0 });
  try {
    const { stored, leftOut } = await importMemories({
      ...options,
      onProgress: ({ bytes, ...counts }) => bar.update(bytes, counts),
      onBadLine: ({ number, reason }) => console.log(`line ${number}: ${reason}`),
    });
    bar.stop();
    console.log(`${stored} memories stored, ${leftOut} lines left out.`);
    return leftOut;
  } finally {
    bar.stop();
  }
}

/** Returns the number of records that were left out. */
async function runRecords(options: RunOptions & { readonly format: 'archive' | 'memory-server' }): Promise<number> {
  const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total}' }, Presets.shades_classic);
  bar.start(1, 0);
  try {
    const summary = await importRecords({
      ...options,
      onProgress: ({ sent, of }) => {
        bar.setTotal(of);
        bar.update(sent);
      },
      onLeftOut: ({ where, reason }) => console.log(`${where}: ${reason}`),
    });
    bar.stop();
    const { found, notes, memories, associations, leftOut } = summary;
    const counts = ({ stored, existing, leftOut: out }: Sent): string =>
      `${stored} stored, ${existing} already there, ${out} left out`;
    const lines = [found, `Memories: ${counts(memories)}.`, `Associations: ${counts(associations)}.`, ...notes];
    console.log(lines.join('\n'));
    return leftOut;
  } finally {
    bar.stop();
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
