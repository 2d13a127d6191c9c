/** `palimpsest import`: imports memories. A second run continues a stopped one. */
import { stat } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { createClient } from '../../../shared/client/http-client.js';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { CommandError, type Define, examples, type Host, isKnownFailure, wholeNumberIn } from '../host.js';
import { addAdminToken, addToken, addUrl, serviceOf, type ServiceOptions } from '../service-client.js';
import { importMemories, type ImportOptions } from './import-memories.js';
import { importRecords, recognizeFile, type RecordsOptions } from './import-records.js';
import { ImportStopped, type Sent } from './send-records.js';

/** The exit code when something was left out. */
const LEFT_OUT = 2;

type Options = ServiceOptions & {
  readonly embedAgain?: boolean;
  readonly batchSize: number;
  readonly concurrency: number;
};

export const define: Define = (command, host) =>
  addAdminToken(addToken(addUrl(command)))
    .description(
      [
        'Import memories. What the service rejects is reported and left out. A stopped run can be repeated: lines within 24 hours, with the same file and batch size; archives and memory server files at any time. What is already stored is not stored again.',
        'The content of the file decides what it is:',
        '- lines, each the JSON body of POST /memory: {"content": "...", "tags": [...], ...}',
        "- an archive of AutoMem's GET /backup (tar.gz), with the admin token",
        '- the JSONL file of MCP\'s memory server ({"type":"entity",...}), with the admin token',
        'Exit code 2: something was left out.',
      ].join('\n'),
    )
    .argument('<file>', 'the file')
    .option('--embed-again', "leave the vectors of an archive out, even when they have the size of the service's")
    .option('--batch-size <number>', 'lines in one request, 1 to 500', wholeNumberIn(1, 500), 200)
    .option('--concurrency <number>', 'requests at the same time, 1 to 16', wholeNumberIn(1, 16), 4)
    .addHelpText('after', examples('import memories.jsonl', 'import automem-backup.tar.gz --embed-again'))
    .action(async (file: string, options: Options) => {
      const { baseUrl, token, adminToken } = serviceOf(options, host.environment());
      const client = createClient({
        baseUrl,
        token,
        ...(adminToken === undefined ? {} : { adminToken }),
        userAgent: 'palimpsest-import',
        retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000], // long enough that a restart of the service does not end an import
        timeoutMs: 60_000,
      });
      const { batchSize, concurrency, embedAgain = false } = options;
      try {
        const format = await recognizeFile(file);
        const sent = { file, client, batchSize, concurrency };
        const leftOut =
          format === 'lines'
            ? await runLines(sent, host)
            : await runRecords({ ...sent, format, useVectors: !embedAgain }, host);
        if (leftOut > 0) host.exitCode = LEFT_OUT;
      } catch (error) {
        throw isKnownFailure(error) ? new CommandError(explain(error), { cause: error }) : error;
      }
    });

function explain(failure: unknown): string {
  const reason = messageOf(failure);
  if (failure instanceof ImportStopped) return `Stopped: ${reason}. Run the same command again to continue.`;
  if (failure instanceof ArchiveError) return `Nothing was imported. ${reason}.`;
  return failure instanceof Error && 'syscall' in failure ? `The file cannot be read: ${reason}` : reason;
}

/** Returns the number of lines that were left out. */
async function runLines(options: Omit<ImportOptions, 'onProgress' | 'onBadLine'>, { print }: Host): Promise<number> {
  const bar = new SingleBar(
    { format: '{bar} {percentage}% | {stored} stored, {leftOut} left out | {eta_formatted} to go' },
    Presets.shades_classic,
  );
  bar.start((await stat(options.file)).size, 0, { stored: 0, leftOut: 0 });
  try {
    const { stored, leftOut } = await importMemories({
      ...options,
      onProgress: ({ bytes, ...counts }) => bar.update(bytes, counts),
      onBadLine: ({ number, reason }) => print(`line ${number}: ${reason}`),
    });
    bar.stop();
    print(`${stored} memories stored, ${leftOut} lines left out.`);
    return leftOut;
  } finally {
    bar.stop();
  }
}

/** Returns the number of records that were left out. */
async function runRecords(options: Omit<RecordsOptions, 'onProgress' | 'onLeftOut'>, { print }: Host): Promise<number> {
  const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total}' }, Presets.shades_classic);
  bar.start(1, 0);
  try {
    const summary = await importRecords({
      ...options,
      onProgress: ({ sent, of }) => {
        bar.setTotal(of);
        bar.update(sent);
      },
      onLeftOut: ({ where, reason }) => print(`${where}: ${reason}`),
    });
    bar.stop();
    const { found, notes, memories, associations, leftOut } = summary;
    const counts = ({ stored, existing, leftOut: out }: Sent): string =>
      `${stored} stored, ${existing} already there, ${out} left out`;
    const lines = [found, `Memories: ${counts(memories)}.`, `Associations: ${counts(associations)}.`, ...notes];
    print(lines.join('\n'));
    return leftOut;
  } finally {
    bar.stop();
  }
}
