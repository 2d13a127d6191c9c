/** Which searches of one request an engine does one after the other, pure: those for the same words. Others may go on side by side. */
import type { KeywordSearch } from '../graph.js';

/** Neighbours with the same terms stay together, so that what the runs find, one behind the other, is in the order of the searches. */
export function searchRuns(searches: readonly KeywordSearch[]): readonly (readonly KeywordSearch[])[] {
  const runs: KeywordSearch[][] = [];
  for (const search of searches) {
    const last = runs.at(-1);
    if (last && last[0]?.terms.join(' ') === search.terms.join(' ')) last.push(search);
    else runs.push([search]);
  }
  return runs;
}
