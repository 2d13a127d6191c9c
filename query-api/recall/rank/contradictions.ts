/**
 * Ranks the newer of two results before the older when they contradict each other or one supersedes the other: the
 * newer result takes over each component of the older one that is higher than its own. Only for an order by score in
 * current mode, where superseded memories are already suppressed but contradicted ones are not. In history mode each
 * result has its own score.
 */
import { type AssociationType, CONTRADICTING_TYPES } from '../../../shared/contract/association.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { Scoring } from '../../config.js';
import type { Components } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { MATCH_COMPONENTS, weightedSum } from '../score/match-points.js';
import { raisedComponents } from '../score/succession.js';
import { closenessOf, type SelectedResult } from '../select/select-results.js';
import { rankedByScore, sectionOf } from './sections.js';

/**
 * An association between two memories about the same thing. A superseding one leads to the newer memory, `CONTRADICTS`
 * to either.
 */
export type Contradiction = { readonly source: string; readonly target: string; readonly type: AssociationType };

type Ranking = Pick<Scoring, 'weights'> & Pick<RecallPlan, 'ranksByCloseness'>;

/**
 * The newer memory of each pair then scores at least as high as the older, and precedes it when both score the same.
 * Pure.
 */
export function rankNewerFirst(
  results: readonly SelectedResult[],
  contradictions: readonly Contradiction[],
  { weights, ranksByCloseness }: Ranking,
): readonly SelectedResult[] {
  const byId = new Map<string, SelectedResult>(results.map((result) => [result.memory.id, result]));
  const pairs = contradictions.flatMap((contradiction) => orderPair(contradiction, byId));
  if (pairs.length === 0) return results;
  const raised = raisedResults(byId, pairs, { weights, ranksByCloseness });
  const current = results.map((result) => raised.get(result.memory.id) ?? result);
  return pairs.reduce(putBefore, rankedByScore(current, ranksByCloseness));
}

type OrderedPair = { readonly older: MemoryId; readonly newer: MemoryId };

/** Empty when one of the two is not a result, or when neither the type nor the timestamps decide which is newer. */
function orderPair(
  { source, target, type }: Contradiction,
  byId: ReadonlyMap<string, SelectedResult>,
): readonly OrderedPair[] {
  const [one, other] = [byId.get(source), byId.get(target)];
  if (!one || !other || one === other) return [];
  const [sourceId, targetId] = [one.memory.id, other.memory.id];
  if (type !== 'CONTRADICTS' || one.memory.timestamp < other.memory.timestamp)
    return [{ older: sourceId, newer: targetId }];
  return one.memory.timestamp > other.memory.timestamp ? [{ older: targetId, newer: sourceId }] : [];
}

/** Passes the components along chains, from the oldest to the newest. As many rounds as there are pairs are enough. */
function raisedResults(
  results: ReadonlyMap<string, SelectedResult>,
  pairs: readonly OrderedPair[],
  { weights, ranksByCloseness }: Ranking,
): ReadonlyMap<string, SelectedResult> {
  const raised = new Map(results);
  for (let round = 0, isChanged = true; isChanged && round < pairs.length; round += 1) {
    isChanged = false;
    for (const { older, newer } of pairs) {
      const [before, after] = [raised.get(older), raised.get(newer)];
      if (!before || !after) continue;
      const isCloser = ranksByCloseness && closenessOf(before) > closenessOf(after);
      if (before.score <= after.score && !isCloser) continue;
      raised.set(newer, raise(after, before.components, weights));
      isChanged = true;
    }
  }
  return raised;
}

const RAISED = [...MATCH_COMPONENTS, 'context', 'importance', 'confidence', 'recency', 'relevance'] as const;

function raise(result: SelectedResult, older: Components, weights: Scoring['weights']): SelectedResult {
  const components = raisedComponents(result.components, older, { names: RAISED, share: 1 });
  const originalScore = result.originalScore ?? result.score;
  return { ...result, score: weightedSum(components, weights), originalScore, components };
}

/** Timestamps order most equal scores, but a memory can evolve into one with an earlier timestamp. */
function putBefore(results: readonly SelectedResult[], { older, newer }: OrderedPair): readonly SelectedResult[] {
  const from = results.findIndex(({ memory }) => memory.id === newer);
  const to = results.findIndex(({ memory }) => memory.id === older);
  const [newerResult, olderResult] = [results[from], results[to]];
  if (!newerResult || !olderResult || from < to || newerResult.score !== olderResult.score) return results;
  if (sectionOf(newerResult) !== sectionOf(olderResult)) return results;
  return [...results.slice(0, to), newerResult, ...results.slice(to, from), ...results.slice(from + 1)];
}

/** One round trip for all results; none in history mode, or when it cannot change the order. */
export async function readContradictions(
  graph: Pick<GraphReader, 'among'>,
  results: readonly SelectedResult[],
  { sort, stateMode }: Pick<RecallPlan, 'sort' | 'stateMode'>,
): Promise<readonly Contradiction[]> {
  if (sort !== 'score' || stateMode === 'history' || results.length < 2) return [];
  return graph.among({ ids: results.map(({ memory }) => memory.id), types: CONTRADICTING_TYPES });
}
