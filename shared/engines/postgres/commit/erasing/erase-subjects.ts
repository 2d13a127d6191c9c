/** Erases the data of associations and of other subjects in the journal, and ends the associations. */
import type { Queryable } from '../../connection/postgres.js';
import { ERASE } from '../group-statements.js';
import { endsOf } from '../plan-writes.js';

/** Expects locked subjects. */
export async function eraseSubjects(
  transaction: Queryable,
  { others, associations }: { readonly others: readonly string[]; readonly associations: readonly string[] },
): Promise<void> {
  const ends = associations.flatMap(endsOf);
  await transaction.query(ERASE, [
    [...others, ...associations],
    associations,
    JSON.stringify(ends),
    ends.map((end) => end.memory_id),
  ]);
}
