/**
 * Explains the score of a memory, pure: its evidence, matched terms and points. A memory that was not scored has
 * evidence and terms only.
 */
import type { MemoryId } from '../../../../shared/contract/memory.js';
import type { Scoring } from '../../../config.js';
import type { Evidence, HydratedCandidate, MatchEstimate, Replaced, ScoredCandidate } from '../../candidate.js';
import { queryText } from '../../plan/query-text.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import type { TermText } from '../../score/term-text.js';
import { type MatchedTerms, matchedTerms } from './matched-terms.js';
import { scorePoints } from './score-points.js';

export type ExplainedCandidate = {
  /** One entry per source that found this memory, with rank and pass, and the raw value if the source has one. */
  readonly evidence: readonly Evidence[];
  readonly terms: MatchedTerms;
  /**
   * The found memory that the shown one replaces, with its evidence, the association that leads from it, and the share
   * of its match that the shown memory takes over.
   */
  readonly found_in?: Omit<Replaced, 'memory'> & { readonly id: MemoryId };
};

export type ExplainedResult = ExplainedCandidate & {
  /** The score by component. */
  readonly points: Readonly<Record<string, number>>;
  readonly match?: MatchEstimate;
  /** Present when weak evidence reduced the other components: the evidence, and the threshold that it missed. */
  readonly gate?: { readonly evidence: number; readonly threshold: number };
};

export type ExplainContext = {
  readonly query: Pick<RecallPlan, 'terms' | 'words'>;
  readonly scoring: Scoring;
  readonly termText: TermText;
};

export function explainResult(candidate: ScoredCandidate, context: ExplainContext): ExplainedResult {
  const { scoring } = context;
  const { relevance_gated: isGated, evidence } = candidate.components;
  return {
    ...explainCandidate(
      candidate,
      candidate.scoredBy ? { ...context, query: queryText(candidate.scoredBy.query) } : context,
    ),
    points: scorePoints(candidate, scoring),
    ...(candidate.match ? { match: candidate.match } : {}),
    ...(isGated ? { gate: { evidence, threshold: scoring.relevanceGate } } : {}),
  };
}

export function explainCandidate(
  { memory, evidence, replaces }: HydratedCandidate,
  { query, termText }: ExplainContext,
): ExplainedCandidate {
  return {
    evidence,
    terms: matchedTerms(memory, query, termText),
    ...(replaces ? { found_in: foundIn(replaces) } : {}),
  };
}

function foundIn({ memory: { id }, ...found }: Replaced): NonNullable<ExplainedCandidate['found_in']> {
  return { id, ...found };
}
