/**
 * Estimates the probability that a memory answers the query, pure. A score compares memories with each other: ten
 * results come back whether or not one of them fits. `npm run bench:calibrate` fits the coefficients on conversations of
 * two kinds, whole and in parts of 5 to 60 memories, each question asked where its answer is and where it is not.
 */
import type { Scoring } from '../../config.js';
import type { Components, MatchEstimate, ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { matchPoints } from './match-points.js';
import type { TermText } from './term-text.js';

type EstimatedQuery = Pick<RecallPlan, 'text' | 'terms' | 'embedding'>;

export type EstimateMatches = (scored: readonly ScoredCandidate[], query: EstimatedQuery) => readonly ScoredCandidate[];

/** Keeps the order. A listing has no query, so its candidates get no estimate. */
export function createMatchEstimator({ weights }: Pick<Scoring, 'weights'>, termText: TermText): EstimateMatches {
  return (scored, query) => {
    if (query.text === null && query.embedding === null) return scored;
    const knownTerms = knownShare(query.terms, scored, termText);
    const hasSessions = scored.some(({ components }) => (components.neighbours ?? 0) > 0);
    return scored.map((candidate) => {
      const features = {
        known_terms: knownTerms,
        candidates: scored.length,
        // An identifier has a weight that no other component can reach, and as a word it is in `keyword` and `lexical`.
        points: matchPoints(candidate, weights) - weights.identifier * (candidate.components.identifier ?? 0),
      };
      return { ...candidate, match: { probability: probabilityOf(candidate, features, hasSessions), ...features } };
    });
  };
}

/**
 * The share of the query's terms that a candidate contains, 0 to 1. A question about something else has terms that no
 * candidate contains.
 */
function knownShare(terms: readonly string[], scored: readonly ScoredCandidate[], termText: TermText): number {
  if (terms.length === 0) return 0;
  const texts = scored.flatMap(({ memory, replaces }) =>
    [memory, ...(replaces ? [replaces.memory] : [])].flatMap(({ content, tags }) => [content, ...tags].map(termText)),
  );
  return terms.filter((term) => texts.some((text) => text.counts.has(term))).length / terms.length;
}

/**
 * With fewer candidates each of them is more likely to be the answer. Sessions add points to every candidate. What a
 * successor takes over may come from words or from meaning, so the higher estimate counts.
 */
function probabilityOf(candidate: ScoredCandidate, features: Features, hasSessions: boolean): number {
  const { components } = candidate;
  const similarity = similarityOf(candidate);
  const byMeaning = logistic(BY_MEANING.base + BY_MEANING.vector * similarity);
  if ((components.succession ?? 0) > 0) return Math.max(byMeaning, byWords(similarity, features, hasSessions));
  return sharesWords(components) ? byWords(similarity, features, hasSessions) : byMeaning;
}

type Features = Omit<MatchEstimate, 'probability'>;

function byWords(similarity: number, features: Features, hasSessions: boolean): number {
  const { base, known, size, point, vector, sessions, sessionPoint } = BY_WORDS;
  return logistic(
    base +
      known * features.known_terms +
      size * Math.log(features.candidates) +
      vector * similarity +
      (hasSessions ? sessions + (point + sessionPoint) * features.points : point * features.points),
  );
}

/** The similarity of a memory, or the share that it takes over of the similarity of a memory which it replaces. */
function similarityOf({ components, replaces }: ScoredCandidate): number {
  const inherited = (replaces?.evidence ?? []).flatMap((found) =>
    found.source === 'vector' ? [found.similarity] : [],
  );
  return Math.max(components.vector, (replaces?.share ?? 0) * Math.max(0, ...inherited));
}

function sharesWords({ keyword, metadata, exact, tag }: Components): boolean {
  return keyword + metadata + exact + tag > 0;
}

/** A candidate that shares no word with the query is judged by the cosine of its vector alone. */
const BY_MEANING = { base: -8.85, vector: 9.67 };
const BY_WORDS = {
  base: -7.04,
  known: 1.94,
  size: -0.56,
  point: 4.21,
  vector: 2.17,
  sessions: -2.1,
  sessionPoint: -0.85,
};

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
