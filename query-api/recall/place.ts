/** The parts of an answer, pure: stages that reorder or drop by score do so within a part, because scores of different parts do not compare. */
import type { SelectedResult } from './select.js';

/** In the order of the answer: what the caller named, what was found, what that led to, what fills up from outside the tags. */
const PLACES = ['named', 'found', 'expanded', 'outside'] as const;
export type Place = (typeof PLACES)[number];

const EXPANDING_SOURCES: ReadonlySet<string> = new Set(['relation', 'entity']);
const NAMING_SOURCE: string = 'priority';

export function placeOf({ evidence, isOutsideTagScope }: SelectedResult): Place {
  if (isOutsideTagScope) return 'outside';
  if (evidence.some(({ source }) => source === NAMING_SOURCE)) return 'named';
  return evidence.some(({ source }) => EXPANDING_SOURCES.has(source)) ? 'expanded' : 'found';
}

/** Within each place by score, then newer before older, then as they came. What the caller named keeps the caller's order. */
export function rankedByScore(results: readonly SelectedResult[]): readonly SelectedResult[] {
  return PLACES.flatMap((place) => {
    const placed = results.filter((result) => placeOf(result) === place);
    return place === 'named' ? placed : placed.sort(byScore);
  });
}

function byScore(one: SelectedResult, other: SelectedResult): number {
  const isOlder = Number(one.memory.timestamp < other.memory.timestamp);
  const isNewer = Number(one.memory.timestamp > other.memory.timestamp);
  return other.score - one.score || isOlder - isNewer;
}
