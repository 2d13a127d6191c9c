/** Sends one batch. When the service rejects it, the rejected lines are found and the rest is sent without them. */
import type { Client, ClientAnswer } from '../../../shared/client/client.js';
import { CommandError } from '../run-command.js';
import { type BadLine, type Batch, batchKey, type MemoryLine } from './plan-batches.js';

export type BatchResult = { readonly stored: number; readonly bad: readonly BadLine[] };

/** The import cannot continue: the service does not answer, or rejects every request. */
export class ImportStopped extends CommandError {}

/** These statuses concern the content of one request; every other error status concerns all requests. */
const CONTENT_STATUSES = new Set([400, 413]);
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
