/**
 * `store_memory` with `supersedes_memory_id`: reads the old memory, stores the new, marks the old, associates the two. Nothing is taken back
 * when a step fails: a repeat goes on where it stopped (deploy/decisions/0017-supersede-goes-on-where-it-stopped.md).
 */
import type { MemoryId } from '../../../../shared/contract/memory.js';
import { formatTimestamp, type Clock } from '../../../../shared/kernel/clock.js';
import type { Failure } from '../../failure-answer.js';
import type { ToolCall } from '../../tool.js';
import type { Answered, Fields } from '../reply-fields.js';
import { memoryIn, retireMemory } from './retire-memory.js';
import type { StoreFields, SupersedeRelation } from './store-schemas.js';
import { namesNoId, storedId } from './stored-id.js';
import { canonical, supersedeKey } from './supersede-key.js';

export type SupersedeOrder = {
  readonly oldId: MemoryId;
  readonly relation: SupersedeRelation;
  readonly reason: string | undefined;
  readonly memory: StoreFields & { readonly content: string };
};

export type SupersedeStep = 'read' | 'store' | 'retire' | 'associate';
export type SupersedeOutcome =
  | {
      readonly kind: 'done';
      readonly newId: string;
      readonly stored: Answered;
      /** The write behind which recall shows the new memory in place of the old. */
      readonly last: Answered;
      /** What had superseded the old memory before, if anything. */
      readonly before: string | null;
    }
  /** At that step; those before it were done. */
  | { readonly kind: 'stopped'; readonly at: SupersedeStep; readonly failure: Failure; readonly newId: string | null };

const STRENGTH = 0.9;
const STEPS = 4;

export async function supersede(
  { oldId, relation, reason, memory }: SupersedeOrder,
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
  if (newId === null) return { kind: 'stopped', at: 'store', failure: namesNoId(stored, 'memory_id'), newId };
  report({ done: 2, total: STEPS, message: 'The new memory is stored' });

  const old = memoryIn(read);
  const failure = await retireMemory(read, { oldId, newId, relation, reason, now: formatTimestamp(clock.now()) }, call);
  if (failure !== null) return { kind: 'stopped', at: 'retire', failure, newId };
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
  return { kind: 'done', newId, stored, last, before: formerSuccessor(old, newId) };
}

/** By an earlier call of the same kind: whoever has changed its strength since keeps it. */
function isAssociated(old: Fields, newId: string, relation: SupersedeRelation): boolean {
  const relations = Array.isArray(old['relations']) ? (old['relations'] as readonly Fields[]) : [];
  return relations.some(
    ({ type, direction, memory }) =>
      type === relation && direction === 'outgoing' && (memory as Fields | undefined)?.['id'] === newId,
  );
}

function formerSuccessor(old: Fields, newId: string): string | null {
  const before = (old['metadata'] as Fields | undefined)?.['superseded_by'];
  return typeof before === 'string' && before !== newId ? before : null;
}
