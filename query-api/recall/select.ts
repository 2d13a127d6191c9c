/** Chooses what is answered, pure: drops what scores too little, merges what is the same, orders the rest and cuts it to the limit. */
import type { Sort } from '../../shared/contract/queries.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { ScoredCandidate } from './candidate.js';
import { contentFingerprint } from './fingerprint.js';
import { distinctResults } from './near-duplicates.js';
import type { RecallPlan } from './plan.js';
import { priorityFirst } from './priority-first.js';

export type SelectedResult = ScoredCandidate & {
  /** The ids of all memories that became this one result, its own included, ascending; empty when it is only itself. */
  readonly dedupedFrom: readonly MemoryId[];
  /** Before the results were compared with each other; absent where that changed nothing. */
  readonly originalScore?: number;
  readonly isOutsideTagScope?: boolean;
};

export type Selected = {
  readonly results: readonly SelectedResult[];
  /** How many `minScore` dropped. */
  readonly filteredCount: number;
};

type Selecting = Pick<RecallPlan, 'minScore' | 'sort' | 'limit' | 'profile'>;

export function select(
  candidates: readonly ScoredCandidate[],
  { minScore, sort, limit, profile }: Selecting,
): Selected {
  const enough = candidates.filter(({ score }) => score >= minScore);
  const ranked = mergeEqual(enough).sort((one, other) => ORDERS[sort](one, other) || compareIds(one, other));
  return {
    results: distinctResults(priorityFirst(ranked, profile), limit),
    filteredCount: candidates.length - enough.length,
  };
}

/** First by id (a head may stand for several memories and for itself), then by content. */
function mergeEqual(candidates: readonly ScoredCandidate[]): SelectedResult[] {
  const byId = groupBy(candidates, ({ memory }) => memory.id).map(best);
  return groupBy(byId, ({ memory }) => contentFingerprint(memory.content) ?? memory.id).map((same) => {
    const ids = same.map(({ memory }) => memory.id).sort();
    return { ...best(same), dedupedFrom: ids.length > 1 ? ids : [] };
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

/** The higher score, then the newer one, then what was found by itself rather than as a replacement. */
function best(group: readonly ScoredCandidate[]): ScoredCandidate {
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
/** What was changed in one go is told apart by its timestamps. */
const byTimeDescending: Order = (one, other) =>
  compareText(changedAt(other.memory), changedAt(one.memory)) || byTimestamp(one, other);
const byTimeAscending: Order = (one, other) => byTimeDescending(other, one);

const ORDERS: Readonly<Record<Sort, Order>> = {
  score: (one, other) =>
    other.score - one.score || other.memory.importance - one.memory.importance || byTimestamp(one, other),
  time_desc: byTimeDescending,
  updated_desc: byTimeDescending,
  time_asc: byTimeAscending,
  updated_asc: byTimeAscending,
};

function compareIds(one: ScoredCandidate, other: ScoredCandidate): number {
  return compareText(one.memory.id, other.memory.id);
}

function changedAt({ updated_at, timestamp }: Memory): string {
  return updated_at || timestamp;
}

/** By code units, as the stores compare: timestamps of mixed precision sort rightly so. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
