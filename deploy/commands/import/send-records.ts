/** Sends records to POST /admin/import in batches, and reports each record that is left out. */
import type { Client, ClientAnswer } from '../../../shared/client/client.js';
import { CommandError } from '../host.js';
import { BATCH_LIMIT_BYTES } from './plan-batches.js';

/** The import cannot continue: the service does not answer, or rejects every request. */
export class ImportStopped extends CommandError {}

/** `where` names the record, for example `line 7`; `item` is its form in POST /admin/import. */
export type SourceRecord = { readonly where: string; readonly item: Readonly<Record<string, unknown>> };
export type LeftOut = { readonly where: string; readonly reason: string };

export type Sending = {
  readonly part: 'memories' | 'associations';
  readonly client: Client;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly onLeftOut: (record: LeftOut) => void;
  readonly onProgress: (records: number) => void;
};

export type Sent = { readonly stored: number; readonly existing: number; readonly leftOut: number };

/** They concern the content of one request; every other error status concerns all requests. */
export const CONTENT_STATUSES = new Set([400, 413]);

/** Throws ImportStopped when the service stops answering; a repeat continues, because the service knows what it has. */
export async function sendRecords(records: AsyncIterable<SourceRecord | LeftOut>, sending: Sending): Promise<Sent> {
  const batches = batchesOf(records, sending.batchSize);
  let sent: Sent = { stored: 0, existing: 0, leftOut: 0 };
  await sendConcurrently(batches, sending.concurrency, async (batch) => {
    const bad = batch.filter((record) => 'reason' in record);
    bad.forEach(sending.onLeftOut);
    sent = sum(sent, { stored: 0, existing: 0, leftOut: bad.length });
    const good = batch.filter((record) => 'item' in record);
    const result = await sendAll(good, sending);
    sent = sum(sent, result);
    sending.onProgress(batch.length);
  });
  return sent;
}

async function* batchesOf(
  records: AsyncIterable<SourceRecord | LeftOut>,
  size: number,
): AsyncGenerator<readonly (SourceRecord | LeftOut)[]> {
  let batch: (SourceRecord | LeftOut)[] = [];
  let bytes = 0;
  for await (const record of records) {
    const length = 'item' in record ? Buffer.byteLength(JSON.stringify(record.item)) : 0;
    if (batch.length === size || (batch.length > 0 && bytes + length > BATCH_LIMIT_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}

/** Halves a batch that is rejected as a whole, until the record that is too large is alone. */
async function sendAll(records: readonly SourceRecord[], sending: Sending): Promise<Sent> {
  const [first] = records;
  if (first === undefined) return { stored: 0, existing: 0, leftOut: 0 };
  const answer = await sending.client.call('importRecords', {
    body: { [sending.part]: records.map(({ item }) => item) } as never,
  });
  if (answer.kind === 'answered') return outcomeOf(records, answer, sending);
  if (answer.kind !== 'refused' || !CONTENT_STATUSES.has(answer.status)) throw stopped(answer);
  if (records.length === 1) {
    sending.onLeftOut({ where: first.where, reason: answer.message });
    return { stored: 0, existing: 0, leftOut: 1 };
  }
  const middle = Math.ceil(records.length / 2);
  return sum(await sendAll(records.slice(0, middle), sending), await sendAll(records.slice(middle), sending));
}

type Part = { readonly stored: number; readonly existing: number; readonly refused: readonly Refused[] };
type Refused = { readonly index: number; readonly reason: string };

function outcomeOf(records: readonly SourceRecord[], { body }: { readonly body: unknown }, sending: Sending): Sent {
  // The reply of importRecords.
  const { stored, existing, refused } = (body as Readonly<Record<Sending['part'], Part>>)[sending.part];
  for (const { index, reason } of refused)
    sending.onLeftOut({ where: records[index]?.where ?? `record ${index} of a request`, reason });
  return { stored, existing, leftOut: refused.length };
}

function stopped(answer: Exclude<ClientAnswer, { kind: 'answered' }>): ImportStopped {
  const { status, message } = answer;
  if (status === null) return new ImportStopped(message);
  const hint =
    status === 401 || status === 403
      ? '. This import keeps ids and times, so it needs the admin token: --admin-token or ADMIN_API_TOKEN'
      : '';
  return new ImportStopped(`The service answered ${status}: ${message}${hint}`);
}

export function sum(one: Sent, other: Sent): Sent {
  return {
    stored: one.stored + other.stored,
    existing: one.existing + other.existing,
    leftOut: one.leftOut + other.leftOut,
  };
}

export type RecordSource = {
  /** One sentence for the summary: what the file is and has. */
  readonly found: string;
  /** What is skipped or decided, and why; one sentence each. */
  readonly notes: readonly string[];
  /** Records that are left out although the file has them as data of the user; they are counted by the check. */
  readonly leftOut: number;
  /** Memories and associations, for the progress. */
  readonly records: number;
  readonly memories: () => AsyncIterable<SourceRecord | LeftOut>;
  readonly associations: () => AsyncIterable<SourceRecord | LeftOut>;
  readonly close: () => Promise<void>;
};

/** After a failure no further batch begins; it is thrown when the running sends have ended. */
export async function sendConcurrently<T>(
  batches: AsyncGenerator<T>,
  concurrency: number,
  send: (batch: T, isStopped: () => boolean) => Promise<void>,
): Promise<void> {
  let isStopped = false;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await batches.next(); !next.done && !isStopped; next = await batches.next())
        await send(next.value, () => isStopped);
    } catch (error) {
      isStopped = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  await batches.return(undefined);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
