/**
 * Marks the old memory as superseded, with If-Match and rereads: a concurrent change by another client is read again
 * and kept.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MemoryId, Timestamp } from '../../../../shared/contract/memory.js';
import type { Failure } from '../../failure-answer.js';
import type { ToolCall } from '../../tool.js';
import { type Answered, type Fields, fieldsOf, textAt } from '../reply-fields.js';
import type { SupersedeRelation } from './store-schemas.js';

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
