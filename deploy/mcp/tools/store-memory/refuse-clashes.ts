/** Which arguments of `store_memory` do not go together; said before anything is sent, for one that is passed over would be lost. */
import { fieldsBeside, quoted } from '../clashing-fields.js';
import type { StoreInput } from './store-schemas.js';

/** Null when the arguments make one of: a memory, a batch, a memory that supersedes another. */
export function refuseClashes(input: StoreInput): string | null {
  if (input.memories !== undefined) {
    const beside = fieldsBeside(input, ['memories']);
    if (beside.length === 0) return null;
    const toItems =
      "give each item its own fields; a memory that supersedes another is stored by a call of its own, without 'memories'";
    return `${quoted(beside)} cannot be given together with 'memories': ${toItems}`;
  }
  if (input.content === undefined) return "'content' is required (or 'memories', to store several at once)";
  if (input.supersedes_memory_id !== undefined) return null;
  const lost = fieldsBeside(
    { supersede_relation: input.supersede_relation, supersede_reason: input.supersede_reason },
    [],
  );
  return lost.length === 0
    ? null
    : `${quoted(lost)} needs 'supersedes_memory_id': name the memory that this one replaces, or leave it out`;
}
