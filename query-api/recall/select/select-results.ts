/**
 * Selects the results, pure: drops low scores, merges duplicates, sorts the rest, gives each source one place and cuts
 * to the limit.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { Sort } from '../../../shared/contract/queries/recall-query.js';
import type { Replaced, ScoredCandidate } from '../candidate.js';
import type { ContextProfile } from '../plan/context-profile.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { type SourceKey, sourceKeyOf } from '../plan/source-key.js';
import { coverDays } from './cover-days.js';
import { withSourcePieces } from './distinct-sources.js';
import { distinctResults, fingerprintOf } from './near-duplicates.js';

export type SelectedResult = ScoredCandidate & {
  /** The ids of all memories that were merged into this result, including its own, ascending; empty without a merge. */
  readonly dedupedFrom: readonly MemoryId[];
  /** The candidates of the same source without a place, best first; absent when there are none. */
  readonly sourcePieces?: readonly Pick<SelectedResult, 'memory' | 'dedupedFrom'>[];
  /** The score before the rank stage; absent when that stage did not change it. */
  readonly originalScore?: number;
  readonly isOutsideTagScope?: boolean;
};

export type Selected = {
  readonly results: readonly SelectedResult[];
  /** The number of candidates that `minScore` and `minProbability` dropped. */
  readonly filteredCount: number;
};

type Ordering = Pick<RecallPlan, 'sort' | 'profile' | 'coversDays' | 'ranksByCloseness' | 'sourceField'>;
type SelectionOptions = Ordering & Pick<RecallPlan, 'minScore' | 'minProbability' | 'limit' | 'distinctBy'>;

export function selectResults(candidates: readonly ScoredCandidate[], options: SelectionOptions): Selected {
  const kept = candidates.filter((candidate) => reachesMinimum(candidate, options));
  return {
    results: takePlaces(inOrder(kept, options), options),
    filteredCount: candidates.length - kept.length,
  };
}

function reachesMinimum(
  { score, match }: ScoredCandidate,
  { minScore, minProbability }: Pick<SelectionOptions, 'minScore' | 'minProbability'>,
): boolean {
  return score >= minScore && (match === undefined || match.probability >= minProbability);
}

/** The candidates without equal contents, in the order in which they take places. */
export function inOrder(
  candidates: readonly ScoredCandidate[],
  { sort, profile, coversDays, ranksByCloseness, sourceField }: Ordering,
): readonly SelectedResult[] {
  const order = ranksByCloseness ? byCloseness : ORDERS[sort];
  const sorted = mergeEqual(candidates).sort((one, other) => order(one, other) || compareIds(one, other));
  const ordered = coversDays ? coverDays(sorted, ({ memory }) => sourceKeyOf(memory, sourceField)) : sorted;
  return priorityFirst(ordered, profile);
}

/** A memory that the caller named keeps its place; the place of its source goes to the best of the others. */
export function takePlaces(
  ordered: readonly SelectedResult[],
  { limit, profile, distinctBy }: Pick<SelectionOptions, 'limit' | 'profile' | 'distinctBy'>,
): readonly SelectedResult[] {
  const keyOf = (result: SelectedResult): SourceKey | null =>
    isNamed(result, profile) ? null : sourceKeyOf(result.memory, distinctBy);
  return withSourcePieces(distinctResults(ordered, limit, keyOf), ordered, keyOf);
}

/** Merges by id first (a head can replace several memories and also be found directly), then by content. */
function mergeEqual(candidates: readonly ScoredCandidate[]): SelectedResult[] {
  const byId = groupBy(candidates, ({ memory }) => memory.id).map(bestOf);
  return groupBy(byId, ({ memory }) => fingerprintOf(memory) ?? memory.id).map((same) => {
    const ids = same.map(({ memory }) => memory.id).sort();
    return Object.assign({}, bestOf(same), { dedupedFrom: ids.length > 1 ? ids : [] }); // faster than a spread
  });
}

function groupBy(
  candidates: readonly ScoredCandidate[],
  keyOf: (candidate: ScoredCandidate) => string,
): readonly (readonly ScoredCandidate[])[] {
  const groups = new Map<string, ScoredCandidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return [...groups.values()];
}

/** The highest score, then the newest, then a memory that was found directly rather than as a replacement. */
function bestOf(group: readonly ScoredCandidate[]): ScoredCandidate {
  return group.reduce((one, other) => {
    const order =
      other.score - one.score ||
      byTimestamp(one, other) ||
      Number(one.replaces !== null) - Number(other.replaces !== null) ||
      compareIds(one, other);
    return order <= 0 ? one : other;
  });
}

type Order = (one: ScoredCandidate, other: ScoredCandidate) => number;

/** The newest first. */
const byTimestamp: Order = (one, other) => compareText(other.memory.timestamp, one.memory.timestamp);
/** By the last change; memories with the same time of change by their timestamps, then by the order of writing. */
const byTimeDescending: Order = (one, other) =>
  compareText(changedAt(other.memory), changedAt(one.memory)) ||
  byTimestamp(one, other) ||
  other.position - one.position;
const byTimeAscending: Order = (one, other) => byTimeDescending(other, one);

const ORDERS: Readonly<Record<Sort, Order>> = {
  score: (one, other) =>
    other.score - one.score || other.memory.importance - one.memory.importance || byTimestamp(one, other),
  time_desc: byTimeDescending,
  updated_desc: byTimeDescending,
  time_asc: byTimeAscending,
  updated_asc: byTimeAscending,
};

const byCloseness: Order = (one, other) => closenessOf(other) - closenessOf(one) || ORDERS.score(one, other);

/** The cosine in steps of 0.0001, because engines differ below it: equal vectors then rank by score. */
export function closenessOf({ components }: Pick<ScoredCandidate, 'components'>): number {
  return Math.round(components.vector * 10_000);
}

function compareIds(one: ScoredCandidate, other: ScoredCandidate): number {
  return compareText(one.memory.id, other.memory.id);
}

function changedAt({ updated_at, timestamp }: Memory): string {
  return updated_at || timestamp;
}

/** By code units, like the stores, which also sorts timestamps of different precision correctly. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

type Ranked = {
  readonly memory: Memory;
  readonly replaces: Replaced | null;
  readonly dedupedFrom: readonly MemoryId[];
};

/**
 * Moves the memories that the caller named to the front, in the caller's order, pure. The other results keep their
 * order. A memory that replaces a named memory, or was merged with it, takes its position.
 */
export function priorityFirst<T extends Ranked>(results: readonly T[], profile: ContextProfile | null): readonly T[] {
  if (profile === null || profile.ids.length === 0) return results;
  const positionOf = new Map(profile.ids.map((id, position) => [id, position]));
  const position = (result: T): number => Math.min(...idsOf(result).map((id) => positionOf.get(id) ?? positionOf.size));
  // Sorting is stable: results without a position keep their order.
  return results
    .map((result) => ({ result, at: position(result) }))
    .sort((one, other) => one.at - other.at)
    .map(({ result }) => result);
}

/** Whether the caller named the memory, the memory that it replaces, or one that was merged into it. */
export function isNamed(result: Ranked, profile: ContextProfile | null): boolean {
  return profile !== null && profile.ids.length > 0 && idsOf(result).some((id) => profile.ids.includes(id));
}

function idsOf({ memory, replaces, dedupedFrom }: Ranked): readonly MemoryId[] {
  return [memory.id, ...(replaces ? [replaces.memory.id] : []), ...dedupedFrom];
}
