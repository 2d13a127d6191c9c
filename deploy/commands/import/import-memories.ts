/** Imports lines of memories: windows are sent at the same time, and each line that is left out is reported. */
import type { Client, ClientAnswer } from '../../../shared/client/client.js';
import { type BadLine, type Batch, batchKey, type MemoryLine, planBatches } from './plan-batches.js';
import { readLines } from './read-lines.js';
import { CONTENT_STATUSES, ImportStopped, sendConcurrently } from './send-records.js';

export type ImportOptions = {
  readonly file: string;
  readonly client: Client;
  /** Lines in one window, which is also the limit of one request. */
  readonly batchSize: number;
  /** Windows that are sent at the same time. */
  readonly concurrency: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onBadLine: (line: BadLine) => void;
};

export type ImportProgress = { readonly bytes: number; readonly stored: number; readonly leftOut: number };

/** Throws ImportStopped when the service stops answering; a second call with the same options continues the import. */
export async function importMemories(options: ImportOptions): Promise<ImportProgress> {
  const { file, client, batchSize, concurrency, onProgress, onBadLine } = options;
  const plans = planBatches(readLines(file), batchSize);
  let progress: ImportProgress = { bytes: 0, stored: 0, leftOut: 0 };

  const report = (stored: number, bad: readonly BadLine[], bytes = 0): void => {
    bad.forEach(onBadLine);
    progress = {
      bytes: Math.max(progress.bytes, bytes),
      stored: progress.stored + stored,
      leftOut: progress.leftOut + bad.length,
    };
    onProgress(progress);
  };
  await sendConcurrently(plans, concurrency, async ({ batches, bad, endBytes }, isStopped) => {
    report(0, bad);
    for (const batch of batches) {
      if (isStopped()) return;
      const result = await sendBatch(batch, client);
      report(result.stored, result.bad);
    }
    report(0, [], endBytes);
  });
  return progress;
}

export type BatchResult = { readonly stored: number; readonly bad: readonly BadLine[] };

const NAMED_INDEX = /^Memory at index (\d+)/u;

export function sendBatch(batch: Batch, client: Client): Promise<BatchResult> {
  return batch.kind === 'single' ? sendSingle(batch.line, client) : sendLines(batch.lines, client);
}

/** 409 means that the line was imported before and its memory was deleted since: the line is left out. */
async function sendSingle(line: MemoryLine, client: Client): Promise<BatchResult> {
  const answer = await client.call('storeMemory', { body: line.body, idempotencyKey: batchKey([line]) });
  const isDeleted = answer.kind === 'refused' && answer.status === 409;
  const reason = isDeleted ? answer.message : rejectionOf(answer);
  return reason === null ? { stored: 1, bad: [] } : { stored: 0, bad: [{ number: line.number, reason }] };
}

async function sendLines(lines: readonly MemoryLine[], client: Client): Promise<BatchResult> {
  const bad: BadLine[] = [];
  let left = lines;
  while (left.length > 0) {
    const answer = await client.call('storeBatch', {
      body: { memories: left.map(({ body }) => body) },
      idempotencyKey: batchKey(left),
    });
    const reason = rejectionOf(answer);
    if (reason === null) return { stored: left.length, bad };
    const named = Number(NAMED_INDEX.exec(reason)?.[1] ?? NaN);
    const line = left[named] ?? (left.length === 1 ? left[0] : undefined);
    if (!line) return merge([{ stored: 0, bad }, ...(await sendHalves(left, client))]);
    bad.push({ number: line.number, reason: reason.replace(NAMED_INDEX, 'The memory') });
    left = left.filter((other) => other !== line);
  }
  return { stored: 0, bad };
}

/** When a rejection names no line (a request that is too large), halving finds the line. */
async function sendHalves(lines: readonly MemoryLine[], client: Client): Promise<readonly BatchResult[]> {
  const middle = Math.ceil(lines.length / 2);
  return [await sendLines(lines.slice(0, middle), client), await sendLines(lines.slice(middle), client)];
}

function merge(parts: readonly BatchResult[]): BatchResult {
  return { stored: parts.reduce((sum, { stored }) => sum + stored, 0), bad: parts.flatMap(({ bad }) => bad) };
}

/** The reason why the service rejects the content; null when the content was stored. */
function rejectionOf(answer: ClientAnswer): string | null {
  if (answer.kind === 'answered') return null;
  if (answer.kind === 'refused' && CONTENT_STATUSES.has(answer.status)) return answer.message;
  throw new ImportStopped(
    answer.status === null ? answer.message : `The service answered ${answer.status}: ${answer.message}`,
  );
}
