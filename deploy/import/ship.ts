/** Sends one shipment. What the service refuses is narrowed down to its lines, and the rest is sent without them. */
import type { Client, ClientAnswer } from '../../shared/client/client.js';
import { shipmentKey, type BadLine, type MemoryLine, type Shipment } from './plan-shipments.js';

export type Shipped = { readonly stored: number; readonly bad: readonly BadLine[] };

/** The import cannot go on: the service is gone, or refuses everything. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

/** These refusals are about the request's content; every other concerns all requests alike. */
const ABOUT_CONTENT = new Set([400, 413]);
const NAMED_INDEX = /^Memory at index (\d+)/u;

export function ship(shipment: Shipment, client: Client): Promise<Shipped> {
  return shipment.kind === 'single' ? shipOne(shipment.line, client) : shipBatch(shipment.lines, client);
}

/** 409 says of a line that was imported before that its memory has been deleted since: it is left out again. */
async function shipOne(line: MemoryLine, client: Client): Promise<Shipped> {
  const answer = await client.call('storeMemory', { body: line.body, idempotencyKey: shipmentKey([line]) });
  const isGone = answer.kind === 'refused' && answer.status === 409;
  const refusal = isGone ? answer.message : refusalOf(answer);
  return refusal === null ? { stored: 1, bad: [] } : { stored: 0, bad: [{ number: line.number, reason: refusal }] };
}

async function shipBatch(lines: readonly MemoryLine[], client: Client): Promise<Shipped> {
  const bad: BadLine[] = [];
  let left = lines;
  while (left.length > 0) {
    const answer = await client.call('storeBatch', {
      body: { memories: left.map(({ body }) => body) },
      idempotencyKey: shipmentKey(left),
    });
    const refusal = refusalOf(answer);
    if (refusal === null) return { stored: left.length, bad };
    const named = Number(NAMED_INDEX.exec(refusal)?.[1] ?? NaN);
    const line = left[named] ?? (left.length === 1 ? left[0] : undefined);
    if (!line) return merge([{ stored: 0, bad }, ...(await shipHalves(left, client))]);
    bad.push({ number: line.number, reason: refusal.replace(NAMED_INDEX, 'The memory') });
    left = left.filter((other) => other !== line);
  }
  return { stored: 0, bad };
}

/** A refusal that names no line (a request that is too large) is found by halving. */
async function shipHalves(lines: readonly MemoryLine[], client: Client): Promise<readonly Shipped[]> {
  const middle = Math.ceil(lines.length / 2);
  return [await shipBatch(lines.slice(0, middle), client), await shipBatch(lines.slice(middle), client)];
}

function merge(parts: readonly Shipped[]): Shipped {
  return { stored: parts.reduce((sum, { stored }) => sum + stored, 0), bad: parts.flatMap(({ bad }) => bad) };
}

/** Why the service does not take the content; null when it did. */
function refusalOf(answer: ClientAnswer): string | null {
  if (answer.kind === 'answered') return null;
  if (answer.kind === 'refused' && ABOUT_CONTENT.has(answer.status)) return answer.message;
  throw new ImportStopped(
    answer.status === null ? answer.message : `The service answered ${answer.status}: ${answer.message}`,
  );
}
