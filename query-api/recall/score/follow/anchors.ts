/**
 * Finds the moments at which the second search looks for adjacent memories, pure: those of the best candidates. On
 * chats between people, the memories next to the best candidates hold half of the evidence that no source finds.
 */
import type { Timestamp } from '../../../../shared/contract/memory.js';
import { formatTimestamp } from '../../../../shared/kernel/clock.js';
import type { Anchor } from '../../../../shared/ports/graph.js';
import type { ScoredCandidate } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { scopeOf, SESSION_GAP_MS, sessionTagOf } from '../signals/sessions.js';
import { bestCandidates } from './best-candidates.js';

/** With the best 40, recall@10 is the same. */
const ANCHORS_LIMIT = 20;
/** Memories on each side of an anchor: with 1, recall@10 is 0.5 points lower on chats between people. */
export const ADJACENT_LIMIT = 2;
/** The farthest memory of the same session. */
const WINDOW_MS = ADJACENT_LIMIT * SESSION_GAP_MS;

/** An anchor, and the candidate whose moment it is. */
export type CandidateAnchor = Anchor & { readonly of: ScoredCandidate };

/** Best first. A memory that belongs to no session has no adjacent memories. */
export function anchorsOf(
  scored: readonly ScoredCandidate[],
  { filter }: Pick<RecallPlan, 'filter'>,
): readonly CandidateAnchor[] {
  return bestCandidates(scored, ANCHORS_LIMIT).flatMap((candidate) => {
    const { memory } = candidate;
    if (filter.tags === null && scopeOf(memory) === null) return [];
    const at = memory.timestamp;
    return [
      { of: candidate, at, from: shifted(at, -WINDOW_MS), until: shifted(at, WINDOW_MS), tag: sessionTagOf(memory) },
    ];
  });
}

function shifted(timestamp: Timestamp, milliseconds: number): Timestamp {
  return formatTimestamp(new Date(Date.parse(timestamp) + milliseconds));
}
