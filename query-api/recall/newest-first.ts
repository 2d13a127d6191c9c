/**
 * Of two results that contradict or evolve, the newer statement comes first, pure: it takes over what speaks for the older one, as a
 * named part of its score. Only for an order by score. In current mode what is superseded is gone already; contradictions never are.
 */
import type { AssociationType } from '../../shared/contract/association.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { placeOf, rankedByScore } from './place.js';
import type { SelectedResult } from './select.js';

/** Two memories that speak of the same thing; a superseding association leads to the newer, a contradiction to either. */
export type Dispute = { readonly source: string; readonly target: string; readonly type: AssociationType };

/** The newer one of each dispute scores at least as high as the older, and stands before it where both score the same. */
export function newestFirst(
  results: readonly SelectedResult[],
  disputes: readonly Dispute[],
): readonly SelectedResult[] {
  const byId = new Map<string, SelectedResult>(results.map((result) => [result.memory.id, result]));
  const settled = disputes.flatMap((dispute) => settle(dispute, byId));
  if (settled.length === 0) return results;
  const scores = raisedScores(results, settled);
  return settled.reduce(
    putBefore,
    rankedByScore(results.map((result) => raise(result, scores.get(result.memory.id) ?? result.score))),
  );
}

type Settled = { readonly older: MemoryId; readonly newer: MemoryId };

/** Nothing where one of the two is no result, or where neither direction nor time tells which is newer. */
function settle({ source, target, type }: Dispute, byId: ReadonlyMap<string, SelectedResult>): readonly Settled[] {
  const [one, other] = [byId.get(source), byId.get(target)];
  if (!one || !other || one === other) return [];
  const [sourceId, targetId] = [one.memory.id, other.memory.id];
  if (type !== 'CONTRADICTS' || one.memory.timestamp < other.memory.timestamp)
    return [{ older: sourceId, newer: targetId }];
  return one.memory.timestamp > other.memory.timestamp ? [{ older: targetId, newer: sourceId }] : [];
}

/** Along chains: as many rounds as there are disputes carry the best score from the oldest to the newest. */
function raisedScores(results: readonly SelectedResult[], settled: readonly Settled[]): ReadonlyMap<MemoryId, number> {
  const scores = new Map(results.map(({ memory, score }) => [memory.id, score]));
  for (let round = 0, isChanged = true; isChanged && round < settled.length; round += 1) {
    isChanged = false;
    for (const { older, newer } of settled) {
      const inherited = scores.get(older) ?? 0;
      if (inherited <= (scores.get(newer) ?? 0)) continue;
      scores.set(newer, inherited);
      isChanged = true;
    }
  }
  return scores;
}

function raise(result: SelectedResult, score: number): SelectedResult {
  if (score === result.score) return result;
  const succession = score - result.score;
  return {
    ...result,
    score,
    originalScore: result.originalScore ?? result.score,
    components: { ...result.components, succession },
  };
}

/** Times order most equal scores; a memory that evolved into one of an earlier date needs this. */
function putBefore(results: readonly SelectedResult[], { older, newer }: Settled): readonly SelectedResult[] {
  const from = results.findIndex(({ memory }) => memory.id === newer);
  const to = results.findIndex(({ memory }) => memory.id === older);
  const [late, early] = [results[from], results[to]];
  if (!late || !early || from < to || late.score !== early.score || placeOf(late) !== placeOf(early)) return results;
  return [...results.slice(0, to), late, ...results.slice(to, from), ...results.slice(from + 1)];
}
