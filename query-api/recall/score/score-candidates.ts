/**
 * Turns evidence into a score, pure and in this file only. The score is the weighted sum of named components from 0 to
 * 1, plus the context bonus; the weights are configuration. A memory that replaces another one takes over a share of
 * the components that say whether it answers.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../config.js';
import type { Components, Evidence, HydratedCandidate, Match, ScoredCandidate } from '../candidate.js';
import { isListing } from '../hydrate/evidence.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { metadataMatches } from '../retrieve/metadata-match.js';
import { contextBonus } from './context-bonus.js';
import { identifierMatches, withIdentifiers } from './identifier-match.js';
import { keywordMatches } from './keyword-match.js';
import { weightedSum } from './match-points.js';
import { createMatchEstimator } from './match-probability.js';
import { metadataTerms } from './metadata-terms.js';
import type { AddSignals } from './signals/signals.js';
import { type OwnCandidate, ownCandidates, withSuccession } from './succession.js';
import { createTermText, type TermText } from './term-text.js';
import { timeOf } from './time-of.js';

/** The contract adds this to a memory that entity expansion reached: less than half of one full match. */
const ENTITY_BOOST = 0.15;

type ScoredQuery = Pick<RecallPlan, 'text' | 'words' | 'terms' | 'identifiers' | 'embedding' | 'profile' | 'now'> &
  Parameters<AddSignals>[1];

export type ScoreCandidates = (
  candidates: readonly HydratedCandidate[],
  query: ScoredQuery,
) => readonly ScoredCandidate[];

const NO_SIGNALS: AddSignals = (scored) => scored;

/**
 * Keeps the order of the candidates. Scores the replaced memories in one pool with the candidates, so that no score
 * depends on whether a successor was also found itself. Estimates how probably each candidate answers the query.
 */
export function createCandidateScorer(
  scoring: Scoring,
  termText: TermText = createTermText(),
  addSignals: AddSignals = NO_SIGNALS,
): ScoreCandidates {
  const estimateMatches = createMatchEstimator(scoring, termText);
  return (candidates, query) => {
    const own = directMatches(ownCandidates(candidates), { query, scoring, termText });
    return estimateMatches(withSuccession(candidates, addSignals(own, query), scoring.weights), query);
  };
}

type PoolInput = { readonly query: ScoredQuery; readonly scoring: Scoring; readonly termText: TermText };

/** Each candidate by its own words and evidence, without signals. */
function directMatches(
  pool: readonly OwnCandidate[],
  { query, scoring, termText }: PoolInput,
): readonly (OwnCandidate & ScoredCandidate)[] {
  const memories = pool.map(({ memory }) => memory);
  const identifiers = identifierMatches(query.identifiers, memories, termText);
  const keywords = withIdentifiers(keywordMatches(query.terms, memories, termText), identifiers);
  const metadata = metadataMatches(query.text, pool.map(metadataOf));
  const features = pool.map(({ evidence }, index): Match => {
    const match = { similarity: cosineOf(evidence), words: keywords[index] ?? 0 };
    return identifiers === null ? match : { ...match, identifier: identifiers[index] ?? 0 };
  });
  const components = pool.map((candidate, index) => componentsAt(candidate, index, 0));
  const evidence = new Map(pool.map(({ memory }, index) => [memory.id, components[index]?.evidence ?? 0]));
  return pool.map((candidate, index) => {
    const inherited = candidate.predecessors.map(({ memory, share }) => share * (evidence.get(memory.id) ?? 0));
    const own = components[index];
    const all = own && inherited.length === 0 ? own : componentsAt(candidate, index, Math.max(0, ...inherited));
    const { memory, position, evidence: found, replaces, predecessors } = candidate;
    // Not `...candidate`: a spread that adds names takes a hundred times longer, and a pool has hundreds of candidates.
    return {
      memory,
      position,
      evidence: found,
      replaces,
      predecessors,
      components: all,
      features: features[index] ?? NO_MATCH,
      score: weightedSum(all, scoring.weights),
    };
  });

  function componentsAt(candidate: OwnCandidate, index: number, inherited: number): Components {
    const match = features[index] ?? NO_MATCH;
    return componentsOf(candidate, { query, match, metadata: metadata[index] ?? 0, inherited, scoring });
  }
}

const NO_MATCH: Match = { similarity: 0, words: 0 };

type ComponentInput = {
  readonly query: ScoredQuery;
  readonly match: Match;
  /** How well the metadata matches, 0 to 1. */
  readonly metadata: number;
  /** The evidence that it takes over from a memory which it replaces, 0 to 1. */
  readonly inherited?: number;
  readonly scoring: Scoring;
};

/** `vector` and `keyword` are the cosine and the share of the words, until signals are added. */
export function componentsOf(
  { memory, evidence }: HydratedCandidate,
  { query, match: { similarity, words, identifier }, metadata, inherited = 0, scoring }: ComponentInput,
): Components {
  const terms = metadataTerms(memory.metadata);
  const keyword = Math.max(words, listedImportance(evidence, memory));
  const exact = query.text !== null && terms.has(query.text.toLowerCase()) ? 1 : 0;
  const strongest = Math.max(similarity, keyword, metadata, exact, identifier ?? 0, inherited);
  const isGated = query.words.length > 0 && strongest < scoring.relevanceGate;
  const gate = isGated ? strongest / scoring.relevanceGate : 1;
  // One literal, without conditional spreads: a recall builds hundreds of these, and a spread takes longer than the
  // rest.
  const components = {
    vector: similarity,
    keyword,
    metadata,
    relation: Math.min(1, relationScore(evidence)),
    tag: gate * tagShare({ words: query.words, tags: memory.tags, terms, cap: scoring.tagWordCap }),
    importance: gate * memory.importance,
    confidence: gate * memory.confidence,
    recency: gate * recencyOf(timeOf(memory), query.now, scoring.recency),
    exact,
    relevance: gate * (memory.relevance_score ?? 0),
    context: contextBonus(query.profile, memory, terms),
    evidence: strongest,
    relevance_gated: isGated,
  };
  return evidence.some(({ source }) => source === 'entity')
    ? { ...components, entity_expansion: ENTITY_BOOST }
    : components;
}

/**
 * Null unless the metadata source found the memory: for other memories, metadata counts in the tag and exact components
 * only.
 */
function metadataOf({ memory, evidence }: HydratedCandidate): Memory['metadata'] | null {
  return evidence.some(({ source }) => source === 'metadata') ? memory.metadata : null;
}

/**
 * The plain cosine. Rejected: scaling it within the pool adds less than a point of recall@10, and the value would mean
 * less to callers.
 */
function cosineOf(evidence: readonly Evidence[]): number {
  const similarities = evidence.flatMap((found) => (found.source === 'vector' ? [found.similarity] : []));
  return Math.min(1, Math.max(0, ...similarities));
}

/**
 * Sums over the associations that led to a memory: strength times the importance of the result at the other end. 0
 * without associations; several strong ones may exceed 1, and the `relation` component is clamped to 1.
 */
export function relationScore(evidence: readonly Evidence[]): number {
  return evidence.reduce(
    (sum, found) => (found.source === 'relation' ? sum + found.strength * found.seed.importance : sum),
    0,
  );
}

/** Listed memories have no keyword match; their importance counts instead. */
function listedImportance(evidence: readonly Evidence[], { importance }: Memory): number {
  return evidence.some(isListing) ? importance : 0;
}

const lowerCase = oncePerObject((tags: readonly string[]) => tags.map((tag) => tag.toLowerCase()));

type TagMatch = {
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly cap: number;
};

/** The share of the query's words that are a whole tag or a metadata term. */
function tagShare({ words, tags, terms, cap }: TagMatch): number {
  if (words.length === 0) return 0;
  const whole = lowerCase(tags);
  const hits = words.filter((word) => terms.has(word) || whole.includes(word)).length;
  return Math.min(1, hits / (cap > 0 ? Math.min(words.length, cap) : words.length));
}

const DAY_MS = 86_400_000;

function recencyOf(time: number, now: Date, { curve, windowDays }: Scoring['recency']): number {
  const ageDays = Math.max(0, (now.getTime() - time) / DAY_MS);
  return curve === 'exp' ? 0.5 ** (ageDays / windowDays) : Math.max(0, 1 - ageDays / windowDays);
}
