/** Which searches a recall runs, pure: its query, the caller's `queries` in place of it, or the query with what it decomposes into. */
import type { RecallQuery } from '../../shared/contract/queries.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { askedText, type AskedText } from './asked-text.js';
import { decompose } from './decompose.js';
import type { RecallPlan } from './plan.js';

/** Each costs a round of every source. Decomposing makes at most as many, beside the query itself. */
export const QUERIES_LIMIT = 10;
/**
 * What a part counts even where it holds most of the whole's terms. On 153 real questions, searching for the parts as well costs
 * recall@10 38.6 points when they count in full, 0.4 when they count by their share alone, and nothing at 0.8 of it.
 */
const PART_WEIGHT = 0.8;

/** The plan with the text of one search. */
export type Search = RecallPlan & {
  /** What its matches count beside those of the other searches, 0 to 1; `search-weights.ts` has the rest of it. */
  readonly weight: number;
};

/** At least one, in the order in which they are named to the caller. Throws ValidationError for too many queries. */
export function planSearches(
  plan: RecallPlan,
  { queries = [], auto_decompose: isDecomposed = false }: RecallQuery,
): readonly Search[] {
  if (queries.length > QUERIES_LIMIT) {
    throw new ValidationError(
      `'queries' must hold at most ${QUERIES_LIMIT} queries, not ${queries.length}: send the others in a recall of their own`,
      'queries',
    );
  }
  if (queries.length > 0) {
    const asked = queries.map(askedText);
    return asked.map((one) => ({
      ...plan,
      ...one,
      weight: Math.min(1, ...asked.filter((other) => isPart(one, other)).map((whole) => partWeight(one, whole))),
    }));
  }
  const parts = isDecomposed && plan.text !== null ? decompose(plan.text).map(askedText) : [];
  return [
    { ...plan, weight: 1 },
    ...parts.map((part) => ({ ...plan, ...part, embedding: null, weight: partWeight(part, plan) })),
  ];
}

type Terms = Pick<AskedText, 'terms'>;

/** Whether the whole has every term of the part and more, whoever made the part. */
function isPart(part: Terms, whole: Terms): boolean {
  return (
    part.terms.length > 0 &&
    part.terms.length < whole.terms.length &&
    part.terms.every((term) => whole.terms.includes(term))
  );
}

/** What matches a part in full matches so much of the whole. */
function partWeight(part: Terms, whole: Terms): number {
  const shared = whole.terms.filter((term) => part.terms.includes(term)).length;
  return (PART_WEIGHT * shared) / Math.max(1, whole.terms.length);
}
