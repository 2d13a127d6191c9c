/**
 * Turns evidence into a score, pure and in this file only. The score is the weighted sum of named components from 0 to
 * 1, plus the context bonus; the weights are configuration. For a replacement, the matches are those of the replaced
 * memory, in which they were found; importance, confidence, recency and relevance are those of the memory that is
 * shown.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import type { Scoring } from '../../config.js';
import type { Components, Evidence, HydratedCandidate, ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { metadataMatches } from '../retrieve/metadata-match.js';
import { contextBonus } from './context-bonus.js';
import { identifierMatches, withIdentifiers } from './identifier-match.js';
import { keywordMatches } from './keyword-match.js';
import { metadataTerms } from './metadata-terms.js';
import { createTermText, type TermText } from './term-text.js';

/** The contract adds this to a memory that entity expansion reached: less than half of one full match. */
const ENTITY_BOOST = 0.15;

type ScoredQuery = Pick<RecallPlan, 'text' | 'words' | 'terms' | 'identifiers' | 'embedding' | 'profile' | 'now'>;

export type ScoreCandidates = (
  candidates: readonly HydratedCandidate[],
  query: ScoredQuery,
) => readonly ScoredCandidate[];

/** Keeps the order of the candidates. */
export function createCandidateScorer(scoring: Scoring, termText: TermText = createTermText()): ScoreCandidates {
  return (candidates, query) => {
    const identifiers = identifierMatches(query.identifiers, candidates.map(matchedMemory), termText);
    const keywords = withIdentifiers(keywordMatches(query.terms, candidates.map(matchedMemory), termText), identifiers);
    const metadata = metadataMatches(query.text, candidates.map(metadataOf));
    return candidates.map((candidate, index) => {
      const components = componentsOf(candidate, {
        query,
        keyword: keywords[index] ?? 0,
        identifier: identifiers?.[index],
        metadata: metadata[index] ?? 0,
        scoring,
      });
      return { ...candidate, components, score: weightedSum(components, scoring.weights) };
    });
  };
}

type ComponentInput = {
  readonly query: ScoredQuery;
  /** How well the words match, 0 to 1. */
  readonly keyword: number;
  /** How well the memory contains an identifier of the query, 0 to 1; undefined when no memory of the pool does. */
  readonly identifier?: number | undefined;
  /** How well the metadata matches, 0 to 1. */
  readonly metadata: number;
  readonly scoring: Scoring;
};

export function componentsOf(
  candidate: HydratedCandidate,
  { query, keyword, identifier, metadata, scoring }: ComponentInput,
): Components {
  const { memory, evidence } = candidate;
  const matched = matchedMemory(candidate);
  const terms = metadataTerms(matched.metadata);
  const direct = {
    vector: cosineOf(evidence),
    keyword: Math.max(keyword, listedImportance(evidence, matched)),
    metadata,
    exact: query.text !== null && terms.has(query.text.toLowerCase()) ? 1 : 0,
  };
  const strongest = Math.max(direct.vector, direct.keyword, direct.metadata, direct.exact, identifier ?? 0);
  const isGated = query.words.length > 0 && strongest < scoring.relevanceGate;
  const gate = isGated ? strongest / scoring.relevanceGate : 1;
  return {
    ...direct,
    relation: Math.min(1, relationScore(evidence)),
    tag: gate * tagShare({ words: query.words, tags: matched.tags, terms, cap: scoring.tagWordCap }),
    importance: gate * memory.importance,
    confidence: gate * memory.confidence,
    recency: gate * recencyOf(memory, query.now, scoring.recency),
    relevance: gate * (memory.relevance_score ?? 0),
    context: contextBonus(query.profile, matched, terms),
    evidence: strongest,
    relevance_gated: isGated,
    ...(identifier === undefined ? {} : { identifier }),
    ...(evidence.some(({ source }) => source === 'entity') ? { entity_expansion: ENTITY_BOOST } : {}),
  };
}

export function weightedSum(components: Components, weights: Scoring['weights']): number {
  const weighed = Object.entries(weights) as [keyof Scoring['weights'], number][];
  return weighed.reduce(
    (total, [name, weight]) => total + weight * (components[name] ?? 0),
    components.context + (components.entity_expansion ?? 0),
  );
}

function matchedMemory({ memory, replaces }: HydratedCandidate): Memory {
  return replaces?.memory ?? memory;
}

/**
 * Null unless the metadata source found the memory: for other memories, metadata counts in the tag and exact components
 * only.
 */
function metadataOf(candidate: HydratedCandidate): Memory['metadata'] | null {
  return candidate.evidence.some(({ source }) => source === 'metadata') ? matchedMemory(candidate).metadata : null;
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
  return evidence.some(({ source }) => source === 'trending' || source === 'tag' || source === 'profile')
    ? importance
    : 0;
}

type TagMatch = {
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly cap: number;
};

/** The share of the query's words that are a whole tag or a metadata term. */
function tagShare({ words, tags, terms, cap }: TagMatch): number {
  if (words.length === 0) return 0;
  const whole = tags.map((tag) => tag.toLowerCase());
  const hits = words.filter((word) => terms.has(word) || whole.includes(word)).length;
  return Math.min(1, hits / (cap > 0 ? Math.min(words.length, cap) : words.length));
}

const DAY_MS = 86_400_000;

function recencyOf({ timestamp }: Memory, now: Date, { curve, windowDays }: Scoring['recency']): number {
  const ageDays = Math.max(0, (now.getTime() - Date.parse(timestamp)) / DAY_MS);
  return curve === 'exp' ? 0.5 ** (ageDays / windowDays) : Math.max(0, 1 - ageDays / windowDays);
}
