/** Plans the requests of an import. The same file always gives the same batches and idempotency keys. */
import { createHash } from 'node:crypto';
import type { StoreMemoryBody } from '../../../shared/contract/commands.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import type { Line } from './read-lines.js';

export type MemoryLine = { readonly number: number; readonly text: string; readonly body: StoreMemoryBody };
export type BadLine = { readonly number: number; readonly reason: string };

export type Batch =
  | { readonly kind: 'many'; readonly lines: readonly MemoryLine[] }
  /** A memory with a field that the batch route does not accept. */
  | { readonly kind: 'single'; readonly line: MemoryLine };

/** One window of the file: its requests, its unreadable lines, and its end offset. */
export type WindowPlan = {
  readonly batches: readonly Batch[];
  readonly bad: readonly BadLine[];
  readonly endBytes: number;
};

/** A request stays well below the service's limit of 32 MiB. */
export const BATCH_LIMIT_BYTES = 8 * 1024 * 1024;
const SINGLE_FIELDS = ['embedding', 't_valid', 't_invalid', 'updated_at', 'last_accessed'] as const;

/** Windows end at multiples of `size` lines, so a line that is corrected changes no other window. */
export async function* planBatches(lines: AsyncIterable<Line>, size: number): AsyncGenerator<WindowPlan> {
  let window: Line[] = [];
  for await (const line of lines) {
    window.push(line);
    if (line.number % size !== 0) continue;
    yield planWindow(window);
    window = [];
  }
  if (window.length > 0) yield planWindow(window);
}

function planWindow(window: readonly Line[]): WindowPlan {
  const read = window.filter(({ text }) => text.trim() !== '').map(readMemory);
  const memories = read.filter((line) => 'body' in line);
  const isSingle = ({ body }: MemoryLine): boolean =>
    SINGLE_FIELDS.some((field) => body[field] !== undefined && body[field] !== null);
  const batches = splitBySize(memories.filter((line) => !isSingle(line)));
  return {
    batches: [
      ...batches.map((lines) => ({ kind: 'many', lines }) as const),
      ...memories.filter(isSingle).map((line) => ({ kind: 'single', line }) as const),
    ],
    bad: read.filter((line) => 'reason' in line),
    endBytes: window.at(-1)?.endBytes ?? 0,
  };
}

function readMemory({ number, text, isTooLong }: Line): MemoryLine | BadLine {
  if (isTooLong) return { number, reason: 'The line is too long for a memory' };
  let body: unknown;
  try {
    body = JSON.parse(text.trim());
  } catch (error) {
    return { number, reason: `The line is not JSON: ${messageOf(error)}` };
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { number, reason: 'The line is not a JSON object' };
  return { number, text: text.trim(), body: body as StoreMemoryBody };
}

function splitBySize(lines: readonly MemoryLine[]): readonly (readonly MemoryLine[])[] {
  const batches: MemoryLine[][] = [];
  let bytes = Infinity;
  for (const line of lines) {
    const length = Buffer.byteLength(line.text);
    if (bytes + length > BATCH_LIMIT_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(line);
    bytes += length;
  }
  return batches;
}

/** The same lines at the same positions have the same key, so the service stores them once. */
export function batchKey(lines: readonly MemoryLine[]): string {
  const hash = createHash('sha256');
  for (const { number, text } of lines) hash.update(`${number}:${text.length}:${text}\n`);
  return `import-${hash.digest('hex')}`;
}
