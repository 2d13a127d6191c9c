/**
 * Explains the score of a memory, pure: its evidence, matched terms and points. A memory that was not scored has
 * evidence and terms only.
 */
import type { Memory, MemoryId } from '../../../../shared/contract/memory.js';
import type { Scoring } from '../../../config.js';
import type {
  Evidence,
  HydratedCandidate,
  MatchEstimate,
  Replaced,
  ScoredCandidate,
  Written,
} from '../../candidate.js';
import { queryText } from '../../plan/query-text.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { metadataTerms } from '../../score/metadata-terms.js';
import { containsPhrase, type TermText } from '../../score/term-text.js';

export type ExplainedCandidate = {
  /** One entry per source that found this memory, with rank and pass, and the raw value if the source has one. */
  readonly evidence: readonly Evidence[];
  readonly terms: MatchedTerms;
  /**
   * The found memory that the shown one replaces, with its evidence, the association that leads from it, and the share
   * of its match that the shown memory takes over.
   */
  readonly found_in?: Omit<Replaced, keyof Written> & { readonly id: MemoryId };
};

export type ExplainedResult = ExplainedCandidate & {
  /** What the components `vector` and `keyword` are made from. */
  readonly features: ScoredCandidate['features'];
  /** The score by component. */
  readonly points: Readonly<Record<string, number>>;
  /** What a match counts; present for a part of a decomposed query. */
  readonly search_weight?: number;
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
  const { scoredBy } = candidate;
  const { relevance_gated: isGated, evidence } = candidate.components;
  return {
    ...explainCandidate(candidate, scoredBy ? { ...context, query: queryText(scoredBy.query) } : context),
    features: candidate.features,
    points: scorePoints(candidate, scoring),
    ...(scoredBy && scoredBy.weight < 1 ? { search_weight: scoredBy.weight } : {}),
    ...(candidate.match ? { match: candidate.match } : {}),
    ...(isGated ? { gate: { evidence, threshold: scoring.relevanceGate } } : {}),
  };
}

export function explainCandidate(
  { memory, evidence, replaces }: Omit<HydratedCandidate, 'position'>,
  { query, termText }: ExplainContext,
): ExplainedCandidate {
  return {
    evidence,
    terms: matchedTerms(memory, query, termText),
    ...(replaces ? { found_in: foundIn(replaces) } : {}),
  };
}

function foundIn({
  memory: { id },
  position: _written,
  ...found
}: Replaced): NonNullable<ExplainedCandidate['found_in']> {
  return { id, ...found };
}

/** Smaller values are floating point noise. */
const NOISE = 1e-9;

/**
 * Splits a score into the points of each component, pure, largest first. The sum is the score. Leaves out components
 * without points. `adjusted` is the change by the rerank for recency.
 */
export function scorePoints(
  { components, score }: Pick<ScoredCandidate, 'components' | 'score'>,
  { weights }: Pick<Scoring, 'weights'>,
): Readonly<Record<string, number>> {
  const known: readonly (readonly [string, number])[] = [
    ...namesOf(weights).map((name) => [name, weights[name] * components[name]] as const),
    ['context', components.context],
    ['entity_expansion', components.entity_expansion ?? 0],
  ];
  const adjusted = known.reduce((left, [, points]) => left - points, score);
  const all = [...known, ['adjusted', adjusted] as const].filter(([, points]) => Math.abs(points) > NOISE);
  return Object.fromEntries(all.sort(([, one], [, other]) => other - one));
}

function namesOf<T extends object>(weights: T): readonly (keyof T & string)[] {
  return Object.keys(weights) as (keyof T & string)[];
}

type MatchedTerms = {
  /** Analysed terms, by the part of the memory that contains them. */
  readonly content: readonly string[];
  readonly tags: readonly string[];
  readonly missing: readonly string[];
  /** The part that contains all terms one after the other; null for a query of one term, which is no phrase. */
  readonly phrase: 'content' | 'tags' | null;
  /** The words of the query as written that are a whole tag, or a word or value of the metadata. */
  readonly words: { readonly tags: readonly string[]; readonly metadata: readonly string[] };
};

/** Finds the terms and words of a query in a memory, pure: the keyword and tag components are computed from them. */
export function matchedTerms(
  { content, tags, metadata }: Memory,
  { terms, words }: Pick<RecallPlan, 'terms' | 'words'>,
  termText: TermText,
): MatchedTerms {
  const contentText = termText(content);
  const tagTexts = tags.map(termText);
  const inContent = (...phrase: readonly string[]): boolean => containsPhrase(contentText, phrase);
  const inTags = (...phrase: readonly string[]): boolean => tagTexts.some((tag) => containsPhrase(tag, phrase));
  const wholeTags = new Set(tags.map((tag) => tag.toLowerCase()));
  const metadataWords = metadataTerms(metadata);
  const phrase = (): MatchedTerms['phrase'] => {
    if (terms.length < 2) return null;
    if (inContent(...terms)) return 'content';
    return inTags(...terms) ? 'tags' : null;
  };
  return {
    content: terms.filter((term) => inContent(term)),
    tags: terms.filter((term) => inTags(term)),
    missing: terms.filter((term) => !inContent(term) && !inTags(term)),
    phrase: phrase(),
    words: {
      tags: words.filter((word) => wholeTags.has(word)),
      metadata: words.filter((word) => metadataWords.has(word)),
    },
  };
}
