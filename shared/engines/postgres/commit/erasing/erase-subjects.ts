/** Erases the data of memories and associations in the journal, and ends the associations. */
import type { MemoryId } from '../../../../contract/memory.js';
import type { Queryable } from '../../connection/postgres.js';
import { ERASE } from '../group-statements.js';
import { endsOf } from '../plan-writes.js';

/** Expects locked subjects. `associations`: their subjects. */
export async function eraseSubjects(
  transaction: Queryable,
  { memories, associations }: { readonly memories: readonly MemoryId[]; readonly associations: readonly string[] },
): Promise<void> {
  const ends = associations.flatMap(endsOf);
  await transaction.query(ERASE, [
    [...memories, ...associations],
    associations,
    JSON.stringify(ends),
    ends.map((end) => end.memory_id),
  ]);
}
