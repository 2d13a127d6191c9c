/**
 * `store_memory` with `supersedes_memory_id`: reads the old memory, stores the new, marks the old, associates the two.
 * A failed step is not rolled back: a repeated call continues at that step (deploy/decisions/0022-mcp.md).
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MemoryId, Timestamp } from '../../../../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../../../../shared/kernel/clock.js';
import type { Failure } from '../../failure-answer.js';
import type { ToolCall } from '../../tool.js';
import { type Answered, type Fields, fieldsOf, textAt } from '../fields.js';
import { missingIdFailure, storedId } from './store.js';
import type { StoreFields, SupersedeRelation } from './store-schemas.js';

export type SupersedeRequest = {
  readonly oldId: MemoryId;
  readonly relation: SupersedeRelation;
  readonly reason: string | undefined;
  readonly memory: StoreFields & { readonly content: string };
};

export type SupersedeStep = 'read' | 'store' | 'mark' | 'associate';
export type SupersedeOutcome =
  | {
      readonly kind: 'done';
      readonly newId: string;
      readonly stored: Answered;
      /** The last write: from its position on, recall shows the new memory in place of the old. */
      readonly last: Answered;
      /** The id of another memory that had already superseded the old one. */
      readonly before: string | null;
    }
  /** Failed at this step; the earlier steps are done. */
  | { readonly kind: 'stopped'; readonly at: SupersedeStep; readonly failure: Failure; readonly newId: string | null };

const STRENGTH = 0.9;
const STEPS = 4;

export async function supersede(
  { oldId, relation, reason, memory }: SupersedeRequest,
  call: ToolCall,
  clock: Clock,
): Promise<SupersedeOutcome> {
  const { client, signal, report } = call;
  const read = await client.call('getMemory', { params: { id: oldId }, signal });
  if (read.kind !== 'answered') return { kind: 'stopped', at: 'read', failure: read, newId: null };
  report({ done: 1, total: STEPS, message: 'The old memory is read' });

  const body = canonical(memory);
  const stored = await client.call('storeMemory', { body, idempotencyKey: supersedeKey(oldId, body), signal });
  if (stored.kind !== 'answered') return { kind: 'stopped', at: 'store', failure: stored, newId: null };
  const newId = storedId(stored);
  if (newId === null) return { kind: 'stopped', at: 'store', failure: missingIdFailure(stored, 'memory_id'), newId };
  report({ done: 2, total: STEPS, message: 'The new memory is stored' });

  const old = memoryOf(read);
  const failure = await markSuperseded(
    read,
    { oldId, newId, relation, reason, now: formatTimestamp(clock.now()) },
    call,
  );
  if (failure !== null) return { kind: 'stopped', at: 'mark', failure, newId };
  report({ done: 3, total: STEPS, message: 'The old memory is marked as superseded' });

  let last = stored;
  if (!isAssociated(old, newId, relation)) {
    const associated = await client.call('associate', {
      body: { memory1_id: oldId, memory2_id: newId, type: relation, strength: STRENGTH },
      signal,
    });
    if (associated.kind !== 'answered') return { kind: 'stopped', at: 'associate', failure: associated, newId };
    last = associated;
  }
  report({ done: STEPS, total: STEPS, message: 'The two are associated' });
  return { kind: 'done', newId, stored, last, before: previousSuccessor(old, newId) };
}

/** True after an earlier call: writing it again would undo a strength that a client has changed since. */
function isAssociated(old: Fields, newId: string, relation: SupersedeRelation): boolean {
  const relations = Array.isArray(old['relations']) ? (old['relations'] as readonly Fields[]) : [];
  return relations.some(
    ({ type, direction, memory }) =>
      type === relation && direction === 'outgoing' && (memory as Fields | undefined)?.['id'] === newId,
  );
}

function previousSuccessor(old: Fields, newId: string): string | null {
  const before = (old['metadata'] as Fields | undefined)?.['superseded_by'];
  return typeof before === 'string' && before !== newId ? before : null;
}

/** A hash of both memories: a repeated call has the same key, in any order of fields and for any reason. */
export function supersedeKey(oldId: MemoryId, memory: object): string {
  return `supersede-${createHash('sha256')
    .update(JSON.stringify([oldId, canonical(memory)]))
    .digest('hex')}`;
}

/** Sorts the names of every object, because the service compares the bodies of one key byte by byte. */
export function canonical<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => canonical(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  // Same properties, other order: the type stays T.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, canonical(item as unknown)]),
  ) as T;
}

export type Supersession = {
  readonly oldId: MemoryId;
  readonly newId: string;
  readonly relation: SupersedeRelation;
  readonly reason: string | undefined;
  readonly now: Timestamp;
};

/** How often the memory is read again after another client has changed it. */
const MAX_REREADS = 4;

/** `read`: the answer that holds the old memory. Null on success, also if the memory was already marked. */
export async function markSuperseded(
  read: Answered,
  supersession: Supersession,
  { client, signal }: ToolCall,
): Promise<Failure | null> {
  const params = { id: supersession.oldId };
  let latest = read;
  for (let rereads = 0; ; rereads++) {
    const body = patchFor(memoryOf(latest), supersession);
    if (body === null) return null;
    const etag = latest.headers.get('ETag');
    const patched = await client.call('updateMemory', {
      params,
      body,
      signal,
      ...(etag === null ? {} : { ifMatch: etag }),
    });
    if (patched.kind === 'answered') return null;
    if (patched.kind !== 'refused' || patched.status !== 412 || rereads === MAX_REREADS) return patched;
    const again = await client.call('getMemory', { params, signal });
    if (again.kind !== 'answered') return again;
    latest = again;
  }
}

export function memoryOf(read: Answered): Fields {
  return objectAt(fieldsOf(read), 'memory');
}

/** Null when the memory already has these marks. Keeps other metadata, and keeps a `t_invalid` in the past. */
function patchFor(
  memory: Fields,
  { newId, relation, reason, now }: Supersession,
): { readonly metadata: Record<string, unknown>; readonly t_invalid?: Timestamp } | null {
  const before = objectAt(memory, 'metadata');
  const { supersede_reason: _replaced, ...kept } = before;
  const metadata = {
    ...kept,
    deprecated: true,
    superseded_by: newId,
    supersede_relation: relation,
    ...(reason === undefined ? {} : { supersede_reason: reason }),
  };
  const end = textAt(memory, 't_invalid');
  const hasEnded = end !== undefined && end <= now;
  if (hasEnded && isDeepStrictEqual(metadata, before)) return null;
  return { metadata, ...(hasEnded ? {} : { t_invalid: now }) };
}

function objectAt(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
