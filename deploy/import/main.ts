/** `npm run import -- FILE.jsonl [--url URL] [--token TOKEN]`: stores one memory for each line of a file. A second run continues a stopped one. */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { createClient } from '../../shared/client/http-client.js';
import { messageOf } from '../../shared/kernel/errors.js';
import { importMemories } from './import-memories.js';
import { ImportStopped } from './send-batch.js';

const USAGE = `Usage: npm run import -- FILE.jsonl [options]

Each line is the JSON body of POST /memory: {"content": "...", "tags": [...], ...}

  --url URL          the service (PALIMPSEST_URL, else http://localhost:8001)
  --token TOKEN      its API token (SERVICE_API_TOKEN, else AUTOMEM_API_TOKEN)
  --batch-size N     lines in one request, 1 to 500 (200)
  --concurrency N    requests at the same time, 1 to 16 (4)

Lines that the service rejects are reported on stdout and left out. A run that was stopped can be repeated within 24 hours, with the
same file and batch size: lines that are already stored are not stored again.`;

/** Long enough that a restart of the service does not end an import. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const REQUEST_TIMEOUT_MS = 60_000;
const EXIT = { done: 0, stopped: 1, linesLeftOut: 2 } as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readArguments();
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return EXIT.stopped;
  }
  const bar = new SingleBar(
    { format: '{bar} {percentage}% | {stored} stored, {leftOut} left out | {eta_formatted} to go' },
    Presets.shades_classic,
  );
  const client = createClient({
    ...options,
    userAgent: 'palimpsest-import',
    retryDelaysMs: RETRY_DELAYS_MS,
    timeoutMs: REQUEST_TIMEOUT_MS,
  });
  try {
    bar.start((await stat(options.file)).size, 0, { stored: 0, leftOut: 0 });
    const { stored, leftOut } = await importMemories({
      ...options,
      client,
      onProgress: ({ bytes, ...counts }) => bar.update(bytes, counts),
      onBadLine: ({ number, reason }) => console.log(`line ${number}: ${reason}`),
    });
    bar.stop();
    console.log(`${stored} memories stored, ${leftOut} lines left out.`);
    return leftOut > 0 ? EXIT.linesLeftOut : EXIT.done;
  } catch (error) {
    bar.stop();
    if (isFileError(error)) console.error(`The file cannot be read: ${error.message}`);
    else if (error instanceof ImportStopped)
      console.error(`Stopped: ${error.message}. Run the same command again to continue.`);
    else throw error;
    return EXIT.stopped;
  }
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        'batch-size': { type: 'string' },
        concurrency: { type: 'string' },
      },
    });
  } catch (error) {
    return messageOf(error);
  }
  const {
    positionals: [file, ...more],
    values,
  } = parsed;
  if (file === undefined || more.length > 0) return 'Name one file.';
  const batchSize = wholeNumber(values['batch-size'] ?? '200', 500);
  const concurrency = wholeNumber(values.concurrency ?? '4', 16);
  if (batchSize === null || concurrency === null) return '--batch-size must be 1 to 500, --concurrency 1 to 16.';
  const { PALIMPSEST_URL, SERVICE_API_TOKEN, AUTOMEM_API_TOKEN } = process.env;
  return {
    file,
    batchSize,
    concurrency,
    baseUrl: values.url ?? (PALIMPSEST_URL || 'http://localhost:8001'),
    token: values.token ?? (SERVICE_API_TOKEN || AUTOMEM_API_TOKEN || null),
  };
}

function wholeNumber(text: string, maximum: number): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maximum ? value : null;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
