/** `npm run import -- FILE`: imports memories. A second run continues a stopped one. */
import { stat } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { createClient } from '../../../shared/client/http-client.js';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { runCommand, UsageError } from '../run-command.js';
import { importMemories, type ImportOptions } from './import-memories.js';
import { importRecords, recognizeFile, type RecordsOptions } from './import-records.js';
import { ImportStopped, type Sent } from './send-records.js';

process.exitCode = await runCommand({
  usage: `Usage: npm run import -- FILE [options]

FILE is one of these; its content decides, not its name:
  lines, each the JSON body of POST /memory: {"content": "...", "tags": [...], ...}
  an archive of AutoMem's GET /backup (tar.gz)
  the JSONL file of MCP's memory server ({"type":"entity",...}, {"type":"relation",...})

  --url URL          the service (PALIMPSEST_URL, else http://localhost:8001)
  --token TOKEN      its API token (SERVICE_API_TOKEN, else AUTOMEM_API_TOKEN)
  --admin-token T    its admin token (ADMIN_API_TOKEN); archives and memory server files need it
  --embed-again      leave the vectors of an archive out, even when they have the size of the service's
  --batch-size N     lines in one request, 1 to 500 (200)
  --concurrency N    requests at the same time, 1 to 16 (4)

What the service rejects is reported on stdout and left out. A run that was stopped can be repeated: lines within 24 hours, with the
same file and batch size; archives and memory server files at any time. What is already stored is not stored again.`,
  argument: 'file',
  flags: {
    url: { type: 'string' },
    token: { type: 'string' },
    'admin-token': { type: 'string' },
    'embed-again': { type: 'boolean', default: false },
    'batch-size': { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '4' },
  },
  explain: (failure) => {
    const reason = messageOf(failure);
    if (failure instanceof ImportStopped) return `Stopped: ${reason}. Run the same command again to continue.`;
    if (failure instanceof ArchiveError) return `Nothing was imported. ${reason}.`;
    return failure instanceof Error && 'syscall' in failure ? `The file cannot be read: ${reason}` : reason;
  },
  run: async (flags, file) => {
    const [batchSize, concurrency] = [Number(flags['batch-size']), Number(flags.concurrency)];
    if (!isCount(batchSize, 500) || !isCount(concurrency, 16))
      throw new UsageError('--batch-size must be 1 to 500, --concurrency 1 to 16.');
    const { PALIMPSEST_URL, SERVICE_API_TOKEN, AUTOMEM_API_TOKEN, ADMIN_API_TOKEN } = process.env;
    const adminToken = flags['admin-token'] ?? (ADMIN_API_TOKEN || null);
    const client = createClient({
      baseUrl: flags.url ?? (PALIMPSEST_URL || 'http://localhost:8001'),
      token: flags.token ?? (SERVICE_API_TOKEN || AUTOMEM_API_TOKEN || null),
      ...(adminToken === null ? {} : { adminToken }),
      userAgent: 'palimpsest-import',
      retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000], // long enough that a restart of the service does not end an import
      timeoutMs: 60_000,
    });
    const format = await recognizeFile(file);
    const options = { file, client, batchSize, concurrency };
    const leftOut =
      format === 'lines'
        ? await runLines(options)
        : await runRecords({ ...options, format, useVectors: !flags['embed-again'] });
    return leftOut > 0 ? 2 : 0;
  },
});

function isCount(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}

/** Returns the number of lines that were left out. */
async function runLines(options: Omit<ImportOptions, 'onProgress' | 'onBadLine'>): Promise<number> {
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
async function runRecords(options: Omit<RecordsOptions, 'onProgress' | 'onLeftOut'>): Promise<number> {
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
