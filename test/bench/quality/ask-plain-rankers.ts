/** Asks the plain rankers the questions of a corpus, over the same texts and vectors as the service. */
import type { Embedder } from '../../../shared/ports/embedder.js';
import { analyze, queryTerms } from '../../../shared/text/analyzer.js';
import type { Corpus } from '../corpus/dialogues.js';
import type { RankedQuestion } from './figures.js';
import { PLAIN_RANKERS } from './plain-rankers.js';

/** The ranked questions of each ranker, by its name. */
export async function askPlainRankers(
  { conversations }: Corpus,
  { embedder, limit }: { readonly embedder: Embedder; readonly limit: number },
): Promise<Readonly<Record<string, readonly RankedQuestion[]>>> {
  const ranked: Record<string, RankedQuestion[]> = Object.fromEntries(
    Object.keys(PLAIN_RANKERS).map((name) => [name, []]),
  );
  for (const { turns, questions } of conversations) {
    const texts = turns.map(({ content }) => content);
    const corpus = { terms: texts.map(analyze), vectors: await embedder.embed(texts, { purpose: 'document' }) };
    for (const { question, ...asked } of questions) {
      const [vector = new Float32Array()] = await embedder.embed([question], { purpose: 'query' });
      for (const [name, rank] of Object.entries(PLAIN_RANKERS)) {
        const indexes = rank(corpus, { terms: queryTerms(question), vector }).slice(0, limit);
        ranked[name]?.push({ ...asked, found: indexes.map((index) => turns[index]?.source ?? '') });
      }
    }
  }
  return ranked;
}
