/** Which searches a recall runs, pure: its query, the caller's `queries` in place of it, or the query with what it decomposes into. */
import type { RecallQuery } from '../../shared/contract/queries.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { askedText } from './asked-text.js';
import { decompose } from './decompose.js';
import type { RecallPlan } from './plan.js';

/** Each costs a round of every source. Decomposing makes at most as many, beside the query itself. */
export const QUERIES_LIMIT = 10;
/** What a query that was made out of another counts: it says less than the whole. */
const PART_WEIGHT = 0.5;

/** The plan with the text of one search. */
export type Search = RecallPlan & {
  /** What its matches count beside those of the other searches, 0 to 1. */
  readonly weight: number;
};

/** At least one, in the order in which they are named to the caller. Throws ValidationError for too many queries. */
export function planSearches(plan: RecallPlan, { queries = [], auto_decompose: isDecomposed = false }: RecallQuery): readonly Search[] {
  if (queries.length > QUERIES_LIMIT) {
    throw new ValidationError(`'queries' must hold at most ${QUERIES_LIMIT} queries, not ${queries.length}: send the others in a recall of their own`, 'queries');
  }
  if (queries.length > 0) return queries.map((query) => ({ ...plan, ...askedText(query), weight: 1 }));
  const parts = isDecomposed && plan.text !== null ? decompose(plan.text) : [];
  return [{ ...plan, weight: 1 }, ...parts.map((part) => ({ ...plan, ...askedText(part), embedding: null, weight: PART_WEIGHT }))];
}
