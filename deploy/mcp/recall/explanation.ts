/** Why the memory that `explain` names is, or is not, among the results: one sentence. Pure. */
import type { About } from './found.js';

const REASONS: Readonly<Record<string, string>> = {
  absent: 'there is no such memory',
  filter: 'a filter of the request leaves it out',
  state: 'it is not current',
  retrieval: 'no search came upon it',
  min_score: 'its score is too low',
  duplicate: 'another result says the same',
  limit: 'the limit ended before it',
  after_selection: 'a later stage dropped it',
};

export function explanationOf({ explain }: About): readonly string[] {
  if (explain?.memory_id === undefined) return [];
  const { memory_id: id, position, cut } = explain;
  if (cut === undefined) return position === undefined ? [] : [`memory ${id} is result ${position}`];
  const { at = '', rules = [], reason, successor } = cut;
  const details = [
    ...rules,
    ...(reason === undefined ? [] : [reason]),
    ...(successor === undefined ? [] : [`see ${successor}`]),
  ];
  return [
    `memory ${id} is not among the results: ${REASONS[at] ?? at}${details.length === 0 ? '' : ` (${details.join(', ')})`}`,
  ];
}
