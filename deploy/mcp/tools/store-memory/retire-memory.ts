/** Marks the old memory as superseded, on what it is now: a change that somebody else makes meanwhile is read and kept. */
import { isDeepStrictEqual } from 'node:util';
import type { MemoryId, Timestamp } from '../../../../shared/contract/memory.js';
import type { Failure } from '../../failure-answer.js';
import type { ToolCall } from '../../tool.js';
import { fieldsOf, textAt, type Answered, type Fields } from '../reply-fields.js';
import type { SupersedeRelation } from './store-schemas.js';

export type Retirement = {
  readonly oldId: MemoryId;
  readonly newId: string;
  readonly relation: SupersedeRelation;
  readonly reason: string | undefined;
  readonly now: Timestamp;
};

/** Times that it is read again because somebody else was faster. */
const REREADS = 4;

/** `read`: the answer that the old memory came in. Null when it is marked, also where it was before. */
export async function retireMemory(
  read: Answered,
  retirement: Retirement,
  { client, signal }: ToolCall,
): Promise<Failure | null> {
  const params = { id: retirement.oldId };
  let latest = read;
  for (let rereads = 0; ; rereads++) {
    const body = changeOf(memoryIn(latest), retirement);
    if (body === null) return null;
    const etag = latest.headers.get('ETag');
    const patched = await client.call('updateMemory', {
      params,
      body,
      signal,
      ...(etag === null ? {} : { ifMatch: etag }),
    });
    if (patched.kind === 'answered') return null;
    if (patched.kind !== 'refused' || patched.status !== 412 || rereads === REREADS) return patched;
    const again = await client.call('getMemory', { params, signal });
    if (again.kind !== 'answered') return again;
    latest = again;
  }
}

export function memoryIn(read: Answered): Fields {
  return objectAt(fieldsOf(read), 'memory');
}

/** Null when the memory is already marked so. Other metadata stays; a bound in the past is the truth about the past, and stays too. */
function changeOf(
  memory: Fields,
  { newId, relation, reason, now }: Retirement,
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
