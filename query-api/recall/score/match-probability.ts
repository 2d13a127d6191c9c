/**
 * Estimates the probability that a memory answers the query, pure. A score compares memories with each other: ten
 * results come back whether or not one of them fits. Within one pool the estimate rises with the points of the match,
 * so it orders memories as their match does.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import type { Scoring } from '../../config.js';
import type { Components, MatchEstimate, ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { modelledComponents, NO_SIGNALS } from './evidence-model.js';
import { type Feature, FITTED, type ProbabilityModel } from './fitted-weights.js';
import { matchPoints } from './match-points.js';
import { directMatch } from './signals/signals.js';
import { standingIn } from './signals/standing.js';
import type { TermText } from './term-text.js';

type EstimatedQuery = Pick<RecallPlan, 'text' | 'terms' | 'embedding'>;

export type EstimateMatches = (scored: readonly ScoredCandidate[], query: EstimatedQuery) => readonly ScoredCandidate[];

/** Keeps the order. A listing has no query, so its candidates get no estimate. */
export function createMatchEstimator({ weights }: Pick<Scoring, 'weights'>, termText: TermText): EstimateMatches {
  return (scored, query) => {
    if (query.text === null && query.embedding === null) return scored;
    const known_terms = knownShare(query.terms, scored, termText);
    const candidates = scored.length;
    const sessions = scored.some(({ features }) => (features.neighbours ?? 0) > 0);
    const standingOf = standingIn(scored.map(({ components }) => components.vector));
    return scored.map((candidate) => {
      const components = withEvidence(candidate, { standingOf, candidates });
      const input = { known_terms, candidates, sessions, points: matchPoints(components, weights) };
      const match = { probability: matchProbability(input), ...input };
      return Object.assign({}, candidate, { match }); // a third of the time of a spread
    });
  };
}

type Pool = { readonly standingOf: (similarity: number) => number; readonly candidates: number };

/** Without signals `vector` is the cosine and `keyword` the share of the words; the estimate needs what they prove. */
function withEvidence(candidate: ScoredCandidate, { standingOf, candidates }: Pool): Components {
  const { components, features } = candidate;
  if (features.lexical !== undefined) return components;
  const { vector, keyword } = components;
  const signals = { ...NO_SIGNALS, standing: standingOf(vector), lexical: keyword };
  const evidence = {
    match: { similarity: vector, words: keyword },
    signals,
    direct: directMatch(candidate),
    candidates,
  };
  return { ...components, ...modelledComponents(evidence, FITTED.evidence) };
}

/**
 * The share of the query's terms that a candidate contains, 0 to 1. A question about something else has terms that no
 * candidate contains.
 */
function knownShare(terms: readonly string[], scored: readonly ScoredCandidate[], termText: TermText): number {
  if (terms.length === 0) return 0;
  const unknown = new Set(terms);
  for (const { memory, replaces } of scored) {
    for (const each of replaces ? [memory, replaces.memory] : [memory]) {
      for (const term of unknown) if (containsTerm(each, term, termText)) unknown.delete(term);
    }
    if (unknown.size === 0) break;
  }
  return (terms.length - unknown.size) / terms.length;
}

function containsTerm(memory: Memory, term: string, termText: TermText): boolean {
  return termText.ofContent(memory).counts.has(term) || termText.ofTags(memory).some(({ counts }) => counts.has(term));
}

export type MatchInput = Omit<MatchEstimate, 'probability'>;

const FEATURES: Readonly<Record<Feature, (input: MatchInput) => number>> = {
  base: () => 1,
  known_terms: ({ known_terms: knownTerms }) => knownTerms,
  /** Sessions raise the candidates around a match as well. */
  sessions: ({ sessions }) => Number(sessions),
  points: ({ points }) => points,
  /** When no candidate has any term of the query, all points come from the vectors. */
  wordless: (input) => Number(isWordless(input)),
  wordless_points: (input) => (isWordless(input) ? input.points : 0),
};
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly Feature[];

function isWordless({ known_terms: knownTerms }: MatchInput): boolean {
  return knownTerms === 0;
}

export function featureOf(name: Feature, input: MatchInput): number {
  return FEATURES[name](input);
}

/** The model behind `match_probability`, pure: a logistic regression over the points and the pool. */
export function matchProbability(input: MatchInput, model: ProbabilityModel = FITTED.probability): number {
  const logit = FEATURE_NAMES.reduce((sum, name) => sum + model[name] * featureOf(name, input), 0);
  return 1 / (1 + Math.exp(-logit));
}
