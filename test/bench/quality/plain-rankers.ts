/** Simple rankers to compare recall with: they use words and vectors only. */
import type { Embedder } from '../../../shared/ports/embedder.js';
import { analyze, queryTerms } from '../../../shared/text/analyzer.js';
import { type Corpus, questionsOf } from '../corpus/dialogues.js';
import type { RankedQuestion } from './figures.js';

export type RankedTexts = {
  /** The analysed terms of each text. */
  readonly terms: readonly (readonly string[])[];
  /** Of unit length, one for each text. */
  readonly vectors: readonly Float32Array[];
};

export type PlainQuery = { readonly terms: readonly string[]; readonly vector: Float32Array };

/** Each returns the indexes of all texts, best first. */
export const PLAIN_RANKERS: Readonly<Record<string, (corpus: RankedTexts, query: PlainQuery) => readonly number[]>> = {
  'BM25 alone': (corpus, query) => bestFirst(bm25(corpus, query)),
  'vectors alone': (corpus, query) => bestFirst(cosines(corpus, query)),
  'rank fusion': (corpus, query) =>
    bestFirst(sumOf([bm25(corpus, query), cosines(corpus, query)].map(reciprocalRanks))),
  'linear fusion': (corpus, query) => bestFirst(sumOf([bm25(corpus, query), cosines(corpus, query)].map(scaled))),
};

/**
 * Asks each ranker the questions of a corpus, over the same texts and vectors as the service. Returns the ranked
 * questions of each.
 */
export async function askPlainRankers(
  { conversations }: Corpus,
  { embedder, limit }: { readonly embedder: Embedder; readonly limit: number },
): Promise<Readonly<Record<string, readonly RankedQuestion[]>>> {
  const ranked: Record<string, RankedQuestion[]> = {};
  const textsOf = new Map<object, RankedTexts>();
  for (const { question, category, evidence, conversation } of questionsOf(conversations)) {
    const contents = conversation.turns.map(({ content }) => content);
    const texts = textsOf.get(conversation) ?? {
      terms: contents.map(analyze),
      vectors: await embedder.embed(contents, { purpose: 'document' }),
    };
    textsOf.set(conversation, texts);
    const [vector = new Float32Array()] = await embedder.embed([question], { purpose: 'query' });
    for (const [name, rank] of Object.entries(PLAIN_RANKERS)) {
      const first = rank(texts, { terms: queryTerms(question), vector }).slice(0, limit);
      const found = first.map((index) => conversation.turns[index]?.source ?? '');
      (ranked[name] ??= []).push({ category, evidence, found });
    }
  }
  return ranked;
}

const K1 = 1.2;
const B = 0.75;

function bm25({ terms }: RankedTexts, query: PlainQuery): readonly number[] {
  const meanLength = terms.reduce((sum, { length }) => sum + length, 0) / Math.max(1, terms.length);
  const scores = terms.map(() => 0);
  for (const wanted of new Set(query.terms)) {
    const counts = terms.map((text) => text.filter((term) => term === wanted).length);
    const holding = counts.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (terms.length - holding + 0.5) / (holding + 0.5));
    counts.forEach((count, index) => {
      const length = (terms[index]?.length ?? 0) / meanLength;
      scores[index] = (scores[index] ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    });
  }
  return scores;
}

function cosines({ vectors }: RankedTexts, query: PlainQuery): readonly number[] {
  return vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * (query.vector[index] ?? 0), 0));
}

const RANK_CONSTANT = 60;

function reciprocalRanks(scores: readonly number[]): readonly number[] {
  const ranks = scores.map(() => 0);
  bestFirst(scores).forEach((index, rank) => (ranks[index] = 1 / (RANK_CONSTANT + rank + 1)));
  return ranks;
}

/** Scales linearly, so that the lowest score is 0 and the highest 1. */
function scaled(scores: readonly number[]): readonly number[] {
  const least = Math.min(...scores);
  const span = Math.max(...scores) - least;
  return scores.map((score) => (span === 0 ? 0 : (score - least) / span));
}

function sumOf([first = [], second = []]: readonly (readonly number[])[]): readonly number[] {
  return first.map((score, index) => score + (second[index] ?? 0));
}

function bestFirst(scores: readonly number[]): readonly number[] {
  return scores.map((_, index) => index).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}
