/**
 * Turns evidence into a score, pure and in this file only. The score is the weighted sum of named components from 0 to
 * 1, plus the context bonus; the weights are configuration. All components are those of the memory that is shown. What
 * it takes over from a memory that it replaces is a component of its own, `succession`.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../config.js';
import type { Components, Evidence, HydratedCandidate, ScoredCandidate } from '../candidate.js';
import { isListing } from '../hydrate/evidence.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { metadataMatches } from '../retrieve/metadata-match.js';
import { contextBonus } from './context-bonus.js';
import { identifierMatches, withIdentifiers } from './identifier-match.js';
import { keywordMatches } from './keyword-match.js';
import { createMatchEstimator } from './match-probability.js';
import { metadataTerms } from './metadata-terms.js';
import type { AddSignals } from './signals/signals.js';
import { type OwnCandidate, ownCandidates, withSuccession } from './succession.js';
import { createTermText, type TermText } from './term-text.js';
import { timeOf } from './time-of.js';

/** The contract adds this to a memory that entity expansion reached: less than half of one full match. */
const ENTITY_BOOST = 0.15;

type ScoredQuery = Pick<RecallPlan, 'text' | 'words' | 'terms' | 'identifiers' | 'profile' | 'now'> &
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
    const own = ownComponents(ownCandidates(candidates), { query, scoring, termText }).map((candidate) => ({
      ...candidate,
      score: weightedSum(candidate.components, scoring.weights),
    }));
    return estimateMatches(withSuccession(candidates, addSignals(own, query), scoring), query);
  };
}

type PoolInput = { readonly query: ScoredQuery; readonly scoring: Scoring; readonly termText: TermText };

function ownComponents(
  pool: readonly OwnCandidate[],
  { query, scoring, termText }: PoolInput,
): readonly (OwnCandidate & Pick<ScoredCandidate, 'components'>)[] {
  const memories = pool.map(({ memory }) => memory);
  const identifiers = identifierMatches(query.identifiers, memories, termText);
  const keywords = withIdentifiers(keywordMatches(query.terms, memories, termText), identifiers);
  const metadata = metadataMatches(query.text, pool.map(metadataOf));
  const components = pool.map((candidate, index) => componentsAt(candidate, index, 0));
  const evidence = new Map(pool.map(({ memory }, index) => [memory.id, components[index]?.evidence ?? 0]));
  return pool.map((candidate, index) => {
    const own = components[index];
    if (own && candidate.predecessors.length === 0) return { ...candidate, components: own };
    const inherited = candidate.predecessors.map(({ memory, share }) => share * (evidence.get(memory.id) ?? 0));
    return { ...candidate, components: componentsAt(candidate, index, Math.max(0, ...inherited)) };
  });

  function componentsAt(candidate: OwnCandidate, index: number, inherited: number): Components {
    return componentsOf(candidate, {
      query,
      keyword: keywords[index] ?? 0,
      identifier: identifiers?.[index],
      metadata: metadata[index] ?? 0,
      inherited,
      scoring,
    });
  }
}

type ComponentInput = {
  readonly query: ScoredQuery;
  /** How well the words match, 0 to 1. */
  readonly keyword: number;
  /** How well the memory contains an identifier of the query, 0 to 1; undefined when no memory of the pool does. */
  readonly identifier?: number | undefined;
  /** How well the metadata matches, 0 to 1. */
  readonly metadata: number;
  /** The evidence that it takes over from a memory which it replaces, 0 to 1. */
  readonly inherited?: number;
  readonly scoring: Scoring;
};

export function componentsOf(
  { memory, evidence }: HydratedCandidate,
  { query, keyword, identifier, metadata, inherited = 0, scoring }: ComponentInput,
): Components {
  const terms = metadataTerms(memory.metadata);
  const vector = cosineOf(evidence);
  const keywordOrListed = Math.max(keyword, listedImportance(evidence, memory));
  const exact = query.text !== null && terms.has(query.text.toLowerCase()) ? 1 : 0;
  const strongest = Math.max(vector, keywordOrListed, metadata, exact, identifier ?? 0, inherited);
  const isGated = query.words.length > 0 && strongest < scoring.relevanceGate;
  const gate = isGated ? strongest / scoring.relevanceGate : 1;
  // One literal, without conditional spreads: a recall builds hundreds of these, and a spread takes longer than the
  // rest.
  const components: Mutable<Components> = {
    vector,
    keyword: keywordOrListed,
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
  if (identifier !== undefined) components.identifier = identifier;
  if (evidence.some(({ source }) => source === 'entity')) components.entity_expansion = ENTITY_BOOST;
  return components;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const entriesOf = oncePerObject(
  (weights: Scoring['weights']) => Object.entries(weights) as [keyof Scoring['weights'], number][],
);

export function weightedSum(components: Components, weights: Scoring['weights']): number {
  return entriesOf(weights).reduce(
    (total, [name, weight]) => total + weight * (components[name] ?? 0),
    components.context + (components.entity_expansion ?? 0),
  );
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
