/** From lines to requests: windows of lines become batches, always the same for the same file, so that their keys are the same too. */
import { createHash } from 'node:crypto';
import type { StoreMemoryBody } from '../../shared/contract/commands.js';
import type { Line } from './read-lines.js';

export type MemoryLine = { readonly number: number; readonly text: string; readonly body: StoreMemoryBody };
export type BadLine = { readonly number: number; readonly reason: string };

export type Shipment =
  | { readonly kind: 'batch'; readonly lines: readonly MemoryLine[] }
  /** What the batch route does not take. */
  | { readonly kind: 'single'; readonly line: MemoryLine };

/** One window of the file: its requests, what cannot be read in it, and where it ends. */
export type Plan = {
  readonly shipments: readonly Shipment[];
  readonly bad: readonly BadLine[];
  readonly endBytes: number;
};

/** A request stays well below the service's 32 MiB. */
const BATCH_LIMIT_BYTES = 8 * 1024 * 1024;
const SINGLE_FIELDS = ['embedding', 't_valid', 't_invalid', 'updated_at', 'last_accessed'] as const;

/** Windows end at multiples of `size` lines, whatever is in them: a line that is added or mended moves no other window. */
export async function* planShipments(lines: AsyncIterable<Line>, size: number): AsyncGenerator<Plan> {
  let window: Line[] = [];
  for await (const line of lines) {
    window.push(line);
    if (line.number % size !== 0) continue;
    yield planWindow(window);
    window = [];
  }
  if (window.length > 0) yield planWindow(window);
}

function planWindow(window: readonly Line[]): Plan {
  const read = window.filter(({ text }) => text.trim() !== '').map(readMemory);
  const memories = read.filter((line) => 'body' in line);
  const isSingle = ({ body }: MemoryLine): boolean =>
    SINGLE_FIELDS.some((field) => body[field] !== undefined && body[field] !== null);
  const batches = batchesOf(memories.filter((line) => !isSingle(line)));
  return {
    shipments: [
      ...batches.map((lines) => ({ kind: 'batch', lines }) as const),
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
    return { number, reason: `The line is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { number, reason: 'The line is not a JSON object' };
  return { number, text: text.trim(), body: body as StoreMemoryBody };
}

function batchesOf(lines: readonly MemoryLine[]): readonly (readonly MemoryLine[])[] {
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

/** The same for the same lines at the same places: the service stores them once. */
export function shipmentKey(lines: readonly MemoryLine[]): string {
  const hash = createHash('sha256');
  for (const { number, text } of lines) hash.update(`${number}:${text.length}:${text}\n`);
  return `import-${hash.digest('hex')}`;
}
