/**
 * `npm run bench:fit -- FILE [FILE ...] [options]`: fits the evidence model on the conversations of all files
 * together; `notes` instead of a file is the generated corpus. Stores them as `bench:quality` does, asks every question
 * for 100 results, and reads the features of each result. The loss is in `fit-weights.ts`, the coefficients are in
 * `coefficients.ts`. Prints recall@10 on conversations that the fit has not seen (cross-validation over
 * four folds of conversations), then the weights fitted on everything next to the current defaults. The options are
 * those of `bench:quality` that choose the service.
 */
import { parseArgs } from 'node:util';
import { FITTED } from '../../../query-api/recall/score/fitted-weights.js';
import { askWithin } from '../corpus/ask-within.js';
import { type Corpus, questionsOf } from '../corpus/dialogues.js';
import { readCorpora } from '../corpus/read-corpora.js';
import { SERVICE_OPTIONS, type StoredCorpora, withStoredCorpora } from '../corpus/with-stored-corpora.js';
import { coefficientsOf, fitResultOf } from './coefficients.js';
import { fitOn, type FitQuestion, weightsByFold } from './cross-validate.js';
import { type Fitted, recallLines, weightLines } from './fit-lines.js';
import { WEIGHT } from './fit-weights.js';

/** All results count, so the adaptive floor drops none. */
const PARAMETERS = { limit: '100', adaptive_floor: 'false', explain: 'true' };

const { values: options, positionals: files } = parseArgs({ allowPositionals: true, options: SERVICE_OPTIONS });

await withStoredCorpora(await readCorpora(files), options, async (stored) => {
  const asked: (readonly FitQuestion[])[] = [];
  for (const corpus of stored.corpora) asked.push(await askCorpus(stored, corpus));
  const fitted: Fitted = {
    defaults: coefficientsOf(FITTED.evidence),
    byFold: weightsByFold(asked),
    onEverything: fitOn(asked),
  };
  for (const [index, { name }] of stored.corpora.entries())
    console.log([`\n${name}`, ...recallLines(asked[index] ?? [], fitted)].join('\n'));
  console.log(['', ...weightLines(fitted)].join('\n'));
});

async function askCorpus(stored: StoredCorpora, { conversations }: Corpus): Promise<readonly FitQuestion[]> {
  const asked: FitQuestion[] = [];
  for (const { question, category, evidence, conversation, index } of questionsOf(conversations)) {
    const answer = await askWithin(stored, { question, tag: conversation.tag }, PARAMETERS);
    const results = answer.results.map(({ source, features, components: { vector = 0, keyword = 0 }, score }) => {
      if (!features) throw new Error(`The result ${source} has no explain.features: measure a service that has them`);
      return { source, parts: fitResultOf(features, score - WEIGHT * (vector + keyword)) };
    });
    asked.push({ category, evidence, conversation: index, results });
  }
  return asked;
}
