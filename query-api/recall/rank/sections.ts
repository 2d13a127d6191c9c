/**
 * Divides the results into sections, pure. Reordering and dropping by score happen within a section, because scores of
 * different sections are not comparable.
 */
import { isExpanded } from '../expand/expansion-evidence.js';
import { leadingEvidence } from '../hydrate/evidence.js';
import { closenessOf, type SelectedResult } from '../select/select-results.js';

/**
 * In the order of the reply: named by the caller, found by the search, added by the expansion, filled up from outside
 * the tags.
 */
const SECTIONS = ['named', 'found', 'expanded', 'outside'] as const;
export type Section = (typeof SECTIONS)[number];

export function sectionOf(result: SelectedResult): Section {
  if (result.isOutsideTagScope) return 'outside';
  if (leadingEvidence(result).some(({ source }) => source === 'priority')) return 'named';
  return isExpanded(result) ? 'expanded' : 'found';
}

/**
 * Within each section by score (by closeness before it, for a query by vector alone), then the newer first, then
 * in the given order. Results that the caller named keep the caller's order.
 */
export function rankedByScore(results: readonly SelectedResult[], ranksByCloseness = false): readonly SelectedResult[] {
  const byRank = (one: SelectedResult, other: SelectedResult): number =>
    (ranksByCloseness ? closenessOf(other) - closenessOf(one) : 0) || byScore(one, other);
  return SECTIONS.flatMap((section) => {
    const members = results.filter((result) => sectionOf(result) === section);
    return section === 'named' ? members : members.sort(byRank);
  });
}

function byScore(one: SelectedResult, other: SelectedResult): number {
  const isOlder = Number(one.memory.timestamp < other.memory.timestamp);
  const isNewer = Number(one.memory.timestamp > other.memory.timestamp);
  return other.score - one.score || isOlder - isNewer;
}
