/**
 * The only place where evidence becomes a score, pure. Each component is a number from 0 to 1 with a name of its own; the score is
 * their weighted sum and the bonus of the context, and the weights are configuration. What matched is judged on the memory in which it was found, what a memory is
 * worth (importance, confidence, recency, relevance) on the one that is shown.
 */
import type { Memory } from '../../shared/contract/memory.js';
import type { Scoring } from '../config.js';
import type { Components, Evidence, HydratedCandidate, ScoredCandidate } from './candidate.js';
import { contextBonus } from './context-bonus.js';
import { identifierMatches, withIdentifiers } from './identifier-match.js';
import { keywordMatches } from './keyword-match.js';
import { metadataMatches } from './metadata-match.js';
import { metadataTerms } from './metadata-terms.js';
import type { RecallPlan } from './plan.js';
import { relationScore } from './relation-score.js';
import { createTermText } from './term-text.js';

/** What the contract adds where an entity led to a memory: less than half of one full match. */
const ENTITY_BOOST = 0.15;

type Asked = Pick<RecallPlan, 'text' | 'words' | 'terms' | 'identifiers' | 'profile' | 'now'>;

export type Score = (candidates: readonly HydratedCandidate[], asked: Asked) => readonly ScoredCandidate[];

/** Scores in the order of the candidates. */
export function createScore(scoring: Scoring): Score {
  const termText = createTermText();
  return (candidates, asked) => {
    const identifiers = identifierMatches(asked.identifiers, candidates.map(matchedMemory), termText);
    const keywords = withIdentifiers(keywordMatches(asked.terms, candidates.map(matchedMemory), termText), identifiers);
    const metadata = metadataMatches(asked.text, candidates.map(admittedMetadata));
    return candidates.map((candidate, index) => {
      const components = componentsOf(candidate, {
        asked,
        keyword: keywords[index] ?? 0,
        identifier: identifiers?.[index],
        metadata: metadata[index] ?? 0,
        scoring,
      });
      return { ...candidate, components, score: weigh(components, scoring.weights) };
    });
  };
}

type Judging = {
  readonly asked: Asked;
  /** How well its words match, 0 to 1. */
  readonly keyword: number;
  /** How well it holds an identifier of the query, 0 to 1; undefined where nothing does. */
  readonly identifier?: number | undefined;
  /** How well its metadata does, 0 to 1. */
  readonly metadata: number;
  readonly scoring: Scoring;
};

export function componentsOf(
  candidate: HydratedCandidate,
  { asked, keyword, identifier, metadata, scoring }: Judging,
): Components {
  const { memory, evidence } = candidate;
  const matched = matchedMemory(candidate);
  const terms = metadataTerms(matched.metadata);
  const direct = {
    vector: vectorOf(evidence),
    keyword: Math.max(keyword, listedOf(evidence, matched)),
    metadata,
    exact: asked.text !== null && terms.has(asked.text.toLowerCase()) ? 1 : 0,
  };
  const strongest = Math.max(direct.vector, direct.keyword, direct.metadata, direct.exact, identifier ?? 0);
  const isGated = asked.words.length > 0 && strongest < scoring.relevanceGate;
  const gate = isGated ? strongest / scoring.relevanceGate : 1;
  return {
    ...direct,
    relation: Math.min(1, relationScore(evidence)),
    tag: gate * tagShare({ words: asked.words, tags: matched.tags, terms, cap: scoring.tagWordCap }),
    importance: gate * memory.importance,
    confidence: gate * memory.confidence,
    recency: gate * recencyOf(memory, asked.now, scoring.recency),
    relevance: gate * (memory.relevance_score ?? 0),
    context: contextBonus(asked.profile, matched, terms),
    evidence: strongest,
    relevance_gated: isGated,
    ...(identifier === undefined ? {} : { identifier }),
    ...(evidence.some(({ source }) => source === 'entity') ? { entity_expansion: ENTITY_BOOST } : {}),
  };
}

export function weigh(components: Components, weights: Scoring['weights']): number {
  const weighed = Object.entries(weights) as [keyof Scoring['weights'], number][];
  return weighed.reduce(
    (total, [name, weight]) => total + weight * (components[name] ?? 0),
    components.context + (components.entity_expansion ?? 0),
  );
}

function matchedMemory({ memory, replaces }: HydratedCandidate): Memory {
  return replaces?.memory ?? memory;
}

/** Only where its source admitted the memory: for all others metadata counts by the tag and exact components. */
function admittedMetadata(candidate: HydratedCandidate): Memory['metadata'] | null {
  return candidate.evidence.some(({ source }) => source === 'metadata') ? matchedMemory(candidate).metadata : null;
}

/** The plain cosine: scaling it within the pool would add less than a point of recall@10 and tell callers less. */
function vectorOf(evidence: readonly Evidence[]): number {
  const similarities = evidence.flatMap((found) => (found.source === 'vector' ? [found.similarity] : []));
  return Math.min(1, Math.max(0, ...similarities));
}

/** What was listed rather than searched for counts by its importance in the place of a keyword match. */
function listedOf(evidence: readonly Evidence[], { importance }: Memory): number {
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
