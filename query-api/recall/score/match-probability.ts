/**
 * Estimates the probability that a memory answers the query, pure. A score compares memories with each other: ten
 * results come back whether or not one of them fits.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../config.js';
import type { Components, MatchEstimate, ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { type Coefficients, type Feature, FITTED, type MatchModels, type ModelName } from './fitted-weights.js';
import { matchPoints } from './match-points.js';
import type { TermText } from './term-text.js';

type EstimatedQuery = Pick<RecallPlan, 'text' | 'terms' | 'embedding'>;

export type EstimateMatches = (scored: readonly ScoredCandidate[], query: EstimatedQuery) => readonly ScoredCandidate[];

/** Keeps the order. A listing has no query, so its candidates get no estimate. */
export function createMatchEstimator({ weights }: Pick<Scoring, 'weights'>, termText: TermText): EstimateMatches {
  return (scored, query) => {
    if (query.text === null && query.embedding === null) return scored;
    const known_terms = knownShare(query.terms, scored, termText);
    const candidates = scored.length;
    const sessions = scored.some(({ components }) => (components.neighbours ?? 0) > 0);
    return scored.map((candidate) => {
      const { keyword, metadata, exact, tag, identifier = 0 } = candidate.components;
      // An identifier has a weight that no other component can reach, and as a word it is in `keyword` and `lexical`.
      const points = matchPoints(candidate, weights) - weights.identifier * identifier;
      const vector = similarityOf(candidate);
      const input = { known_terms, candidates, sessions, points, vector, keyword, metadata, exact, tag };
      const probability = isSuccessor(candidate) ? successorProbability(input) : matchProbability(input);
      return { ...candidate, match: { probability, known_terms, candidates, sessions, points } };
    });
  };
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

/** The similarity of a memory, or the share that it takes over of the similarity of a memory which it replaces. */
function similarityOf({ components, replaces }: ScoredCandidate): number {
  const inherited = (replaces?.evidence ?? []).flatMap((found) =>
    found.source === 'vector' ? [found.similarity] : [],
  );
  return Math.max(components.vector, (replaces?.share ?? 0) * Math.max(0, ...inherited));
}

function isSuccessor({ components: { succession = 0 } }: ScoredCandidate): boolean {
  return succession > 0;
}

/** What a successor takes over may come from words or from meaning, so the higher estimate counts. */
function successorProbability(input: MatchInput): number {
  return Math.max(probabilityBy('words', input), probabilityBy('meaning', input));
}

export type MatchInput = Omit<MatchEstimate, 'probability'> &
  Pick<Components, 'vector' | 'keyword' | 'metadata' | 'exact' | 'tag'>;

const FEATURES: Readonly<Record<Feature, (input: MatchInput) => number>> = {
  base: () => 1,
  known_terms: ({ known_terms: knownTerms }) => knownTerms,
  /** The fewer candidates, the more probable is each of them. */
  log_candidates: ({ candidates }) => Math.log(candidates),
  points: ({ points }) => points,
  vector: ({ vector }) => vector,
  /** Sessions add points to the candidates around a match as well. */
  sessions: ({ sessions }) => Number(sessions),
  session_points: ({ sessions, points }) => (sessions ? points : 0),
};

/**
 * The model behind `match_probability`, pure: two logistic regressions over the features of a candidate. A candidate
 * that shares no word with the query is rated by the cosine of its vector alone.
 */
export function modelOf({ keyword, metadata, exact, tag }: MatchInput): ModelName {
  return keyword + metadata + exact + tag > 0 ? 'words' : 'meaning';
}

export function featureOf(name: Feature, input: MatchInput): number {
  return FEATURES[name](input);
}

export function matchProbability(input: MatchInput, models: MatchModels = FITTED.match): number {
  return probabilityBy(modelOf(input), input, models);
}

const entriesOf = oncePerObject((coefficients: Coefficients) => Object.entries(coefficients) as [Feature, number][]);

function probabilityBy(model: ModelName, input: MatchInput, models: MatchModels = FITTED.match): number {
  const logit = entriesOf(models[model]).reduce(
    (sum, [name, coefficient]) => sum + coefficient * featureOf(name, input),
    0,
  );
  return 1 / (1 + Math.exp(-logit));
}
