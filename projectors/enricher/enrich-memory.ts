/**
 * Enriches one memory: the names in its content, the memories before it, similar memories, the pattern it exemplifies,
 * and a summary.
 */
import { createHash } from 'node:crypto';
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { EnrichmentResult } from '../../shared/contract/enrichment.js';
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import { foldText } from '../../shared/text/fold.js';
import { words } from '../../shared/text/words.js';
import type { DerivePredecessors } from './derive-predecessors.js';
import { deriveSimilar, type SimilarityConfig } from './derive-similar.js';
import { findEntities } from './entities/find-entities.js';
import { exemplifies } from './observe-patterns.js';
import { type Pattern, patternId } from './pattern.js';
import type { Job } from './select-ready.js';

export type EnrichMemoryDependencies = {
  readonly vectors: Pick<VectorIndexReader, 'search'>;
  readonly similarity: SimilarityConfig;
  readonly summaries: boolean;
};

/** The data that all memories of one attempt share. */
export type BatchContext = {
  /** By reference in the embedding cache. */
  readonly vectorOf: (job: Job) => Float32Array | undefined;
  /** The model of these vectors. */
  readonly model: string;
  /** By memory type. */
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly derivePredecessors: DerivePredecessors;
  readonly now: Timestamp;
};

export async function enrichMemory(
  job: Job,
  { vectorOf, model, patterns, derivePredecessors, now }: BatchContext,
  { vectors, similarity, summaries }: EnrichMemoryDependencies,
): Promise<EnrichmentResult> {
  const { memory, version } = job.loaded;
  const vector = job.isIndexed ? vectorOf(job) : undefined;
  const pattern = exemplifies(job) ? patterns.get(memory.type) : undefined;
  const [preceding, similar] = await Promise.all([
    derivePredecessors(memory),
    vector === undefined ? [] : deriveSimilar({ vectors, id: memory.id, vector, model, now, config: similarity }),
  ]);
  const exemplified: readonly DerivedAssociation[] =
    pattern === undefined || !isExample(memory.id, pattern.observations)
      ? []
      : [
          {
            type: 'EXEMPLIFIES',
            target: patternId(memory.type),
            strength: memory.confidence,
            properties: { pattern_type: memory.type, confidence: memory.confidence },
          },
        ];
  const ownWords = new Set(words(foldText(memory.content)));
  return {
    kind: 'enriched',
    id: memory.id,
    expectedVersion: version,
    causationId: job.wanted.eventId,
    entities: findEntities(memory.content),
    summary: summaries ? summarizeText(memory.content) : null,
    derived: [...preceding, ...similar, ...exemplified],
    findings: {
      forced: job.wanted.isForced,
      temporal_links: preceding.length,
      patterns_detected:
        pattern === undefined
          ? []
          : [
              {
                type: pattern.type,
                similar_memories: pattern.observations,
                // Without the words of other memories, which would stay here after their deletion.
                key_terms: pattern.keyTerms.filter((term) => ownWords.has(term)),
              },
            ],
      semantic_neighbors: similar.map(({ target, strength }) => ({ id: target, score: strength })),
    },
  };
}

/**
 * While the pattern knows of at most this many memories, each of them is an example; later this many of those that come
 * before its number doubles. So 300,000 memories of a type give 5,000 associations.
 */
export const EXAMPLES = 500;

/**
 * Chooses the memories that get an association with the pattern of their type. The pattern keeps the number of its
 * memories in its metadata, so a sample of associations is enough, and the pattern of a large type does not become a
 * hub. Depends on nothing but its arguments, so a repeated enrichment has the same result.
 */
export function isExample(id: MemoryId, observations: number): boolean {
  return fractionOf(id) * observations < EXAMPLES;
}

/** Of the range of all hashes, evenly spread. An id itself may start with a time. */
function fractionOf(id: MemoryId): number {
  return createHash('sha1').update(id).digest().readUInt32BE(0) / 2 ** 32;
}

/** Largest length of a summary in UTF-16 units. */
export const SUMMARY_LIMIT = 240;

/**
 * Summarizes a memory in one line: its first sentence, cut at a word. Uses the Unicode rules for sentences and words,
 * in any script. Empty only for a blank text.
 */
export function summarizeText(content: string): string {
  const [paragraph = ''] = content.slice(0, READ_LIMIT).trimStart().split(PARAGRAPH_END, 1);
  return cutAtWord(firstSentence(paragraph.replace(/\s+/gu, ' ').trim()));
}

/** UTF-16 units that are read: a longer first sentence is cut anyway. Includes leading blanks and line breaks. */
const READ_LIMIT = 2_000;
/** An empty line, or a line that starts a list item, a heading or a quotation. */
const PARAGRAPH_END = /\n(?=[^\S\n]*(?:\n|[-*#•>] |\d+[.)] ))/u;
/** The locale changes neither result; naming one makes them independent of the settings of the host. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Abbreviations and initials, after which Unicode wrongly ends a sentence. */
const NO_SENTENCE_END =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|Sr|Jr|St|No|vs|etc|approx|e\.g|i\.e|cf|Inc|Corp|Ltd|Co)\.\s*$/u;

function firstSentence(text: string): string {
  let sentence = '';
  for (const { segment } of SENTENCES.segment(text.slice(0, SUMMARY_LIMIT * 2))) {
    sentence += segment;
    if (sentence.length > SUMMARY_LIMIT || !NO_SENTENCE_END.test(sentence)) break;
  }
  return sentence.trim();
}

function cutAtWord(text: string): string {
  if (text.length <= SUMMARY_LIMIT) return text;
  const wordStart = WORDS.segment(text.slice(0, SUMMARY_LIMIT * 2)).containing(SUMMARY_LIMIT)?.index ?? 0;
  return text.slice(0, wordStart > 0 ? wordStart : wholeCharacters(text)).trim();
}

/** Where to cut a single long word, so that no surrogate pair is split. */
function wholeCharacters(text: string): number {
  return /[\ud800-\udbff]/u.test(text.charAt(SUMMARY_LIMIT - 1)) ? SUMMARY_LIMIT - 1 : SUMMARY_LIMIT;
}
