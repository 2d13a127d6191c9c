/** Pattern memories: their id, and their text, made from the memories of one type. */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { namedId } from '../../shared/kernel/named-id.js';
import { foldText } from '../../shared/text/fold.js';
import { STOP_WORDS } from '../../shared/text/stop-words.js';
import { words } from '../../shared/text/words.js';

/** The pattern as its memory stores it in the metadata. */
export type Pattern = { readonly type: string; readonly observations: number; readonly keyTerms: readonly string[] };

const KEY_TERMS = 5;
/** Confidence of a pattern: BASE, plus STEP for each observation, at most HIGHEST. */
const [BASE_CONFIDENCE, CONFIDENCE_STEP, HIGHEST_CONFIDENCE] = [0.35, 0.05, 0.95] as const;

export function draftPattern({
  type,
  observations,
  examples,
  version,
  causationId,
}: {
  readonly type: string;
  /** Number of memories of the type. */
  readonly observations: number;
  /** Some of these memories. */
  readonly examples: readonly Pick<Memory, 'id' | 'content'>[];
  /** The version of the existing pattern memory; 0 when there is none. */
  readonly version: number;
  readonly causationId: string;
}): ObservedPattern {
  const contents = examples.map(({ content }) => content);
  const terms = keyTerms(contents, KEY_TERMS);
  const highlights = terms.length === 0 ? '' : ` highlighting ${terms.join(', ')}`;
  const confidence = Math.min(HIGHEST_CONFIDENCE, BASE_CONFIDENCE + CONFIDENCE_STEP * observations);
  return {
    kind: 'pattern',
    id: patternId(type),
    expectedVersion: version,
    causationId,
    derivedFrom: examples.map(({ id }) => id),
    content: `Pattern across ${observations} ${type} memories${highlights}`,
    confidence: Math.round(confidence * 100) / 100,
    metadata: { pattern_type: type, observations, key_terms: terms },
  };
}

/** Reads the metadata that `draftPattern` wrote; null when a caller has changed them. */
export function patternOf({ pattern_type: type, observations, key_terms: terms }: Memory['metadata']): Pattern | null {
  if (typeof type !== 'string' || typeof observations !== 'number' || !Array.isArray(terms)) return null;
  return { type, observations, keyTerms: terms.filter((term) => typeof term === 'string') };
}

/** The id of the pattern memory of a type, so that a type never gets two pattern memories. */
export function patternId(type: string): MemoryId {
  return namedId(`pattern:${type}`) as MemoryId; // a UUID in lower case
}

/**
 * The words that several texts have in common: the words in the most texts first, then the most frequent words, then
 * alphabetically.
 */
export function keyTerms(texts: readonly string[], limit: number): readonly string[] {
  const wordLists = texts.map((text) => words(foldText(text)).filter(isTermWord));
  const occurrences = countEach(wordLists.flat());
  const textCounts = countEach(wordLists.flatMap((each) => [...new Set(each)]));
  const rank = (one: string, other: string): number =>
    countOf(textCounts, other) - countOf(textCounts, one) ||
    countOf(occurrences, other) - countOf(occurrences, one) ||
    (one < other ? -1 : 1);
  return [...textCounts.keys()].sort(rank).slice(0, limit);
}

const MINIMUM_LENGTH = 4;

function isTermWord(word: string): boolean {
  return word.length >= MINIMUM_LENGTH && /^\p{L}+$/u.test(word) && !STOP_WORDS.has(word);
}

type Counts = ReadonlyMap<string, number>;

function countEach(items: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, countOf(counts, item) + 1);
  return counts;
}

function countOf(counts: Counts, item: string): number {
  return counts.get(item) ?? 0;
}
