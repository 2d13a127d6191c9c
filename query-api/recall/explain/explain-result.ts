/** Why a memory has the score that it has, pure: everything that spoke for it, as far as it came. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Scoring } from '../../config.js';
import type { Evidence, HydratedCandidate, ScoredCandidate } from '../candidate.js';
import { askedText } from '../asked-text.js';
import type { RecallPlan } from '../plan.js';
import type { TermText } from '../term-text.js';
import { matchedTerms, type MatchedTerms } from './matched-terms.js';
import { scorePoints } from './score-points.js';

export type ExplainedCandidate = {
  /** One for each source that found it: with rank and pass, and the raw value where the source gives one. */
  readonly evidence: readonly Evidence[];
  readonly terms: MatchedTerms;
  /** The memory in which all of this was found, where the shown one stands in for it, and the association that led on. */
  readonly found_in?: { readonly id: MemoryId; readonly type: string; readonly strength: number };
};

export type ExplainedResult = ExplainedCandidate & {
  /** The score, component by component. */
  readonly points: Readonly<Record<string, number>>;
  /** Where weak evidence faded the other components: the evidence, and what would have been enough. */
  readonly gate?: { readonly evidence: number; readonly threshold: number };
};

export type ExplainContext = {
  readonly asked: Pick<RecallPlan, 'terms' | 'words'>;
  readonly scoring: Scoring;
  readonly termText: TermText;
};

export function explainResult(candidate: ScoredCandidate, context: ExplainContext): ExplainedResult {
  const { scoring } = context;
  const { relevance_gated: isGated, evidence } = candidate.components;
  return {
    ...explainCandidate(
      candidate,
      candidate.foundBy ? { ...context, asked: askedText(candidate.foundBy.query) } : context,
    ),
    points: scorePoints(candidate, scoring),
    ...(isGated ? { gate: { evidence, threshold: scoring.relevanceGate } } : {}),
  };
}

export function explainCandidate(
  { memory, evidence, replaces }: HydratedCandidate,
  { asked, termText }: ExplainContext,
): ExplainedCandidate {
  return {
    evidence,
    terms: matchedTerms(replaces?.memory ?? memory, asked, termText),
    ...(replaces ? { found_in: { id: replaces.memory.id, type: replaces.type, strength: replaces.strength } } : {}),
  };
}
