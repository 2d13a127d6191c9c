/** Prints the result of a comparison, one line for each kind of difference. */
import type { StoreComparison } from '../../../shared/integrity/comparison/compare-stores.js';
import { type Difference, type DifferenceKind, DIFFERENCES } from '../../../shared/integrity/comparison/differences.js';

const SAMPLE = 10;

/** `all`: every subject instead of the first ones. */
export function reportLines(
  { subjects, points, differences, known, isCut }: StoreComparison,
  { all }: { readonly all: boolean },
): readonly string[] {
  const compared = `${whole(subjects)} subjects of the journal and ${whole(points)} points of the index compared`;
  return [
    ...kindLines(differences, all),
    ...kindLines(known, all).map((line) => `known to the service: ${line}`),
    ...(isCut ? ['The comparison ended early: there are more differences than it keeps'] : []),
    differences.length === 0 ? `${compared}: no difference` : `${compared}: ${whole(differences.length)} differences`,
  ];
}

function kindLines(differences: readonly Difference[], all: boolean): readonly string[] {
  return (Object.keys(DIFFERENCES) as DifferenceKind[]).flatMap((kind) => {
    const subjects = differences.filter((difference) => difference.kind === kind).map(({ subject }) => subject);
    if (subjects.length === 0) return [];
    const shown = all ? subjects : subjects.slice(0, SAMPLE);
    const rest = subjects.length > shown.length ? ', ...' : '';
    return [`${kind} (${DIFFERENCES[kind]}): ${whole(subjects.length)}: ${shown.join(', ')}${rest}`];
  });
}

function whole(number: number): string {
  return number.toLocaleString('en-US');
}
