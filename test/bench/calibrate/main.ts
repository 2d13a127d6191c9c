/**
 * `npm run bench:calibrate -- FILE [FILE ...] [options]`: fits the model of `match_probability` on the conversations
 * of all files together; `notes` instead of a file is the generated corpus. Stores each corpus in eight variants, in
 * large and small stores, with and without sessions (`variants.ts`). Asks each question where its evidence is and in
 * the next conversation or part of the file, where nothing fits. The first ten results of both are the samples; the
 * evidence is positive. Prints the fitted coefficients next to those of `fitted-weights.ts`, and figures on
 * conversations that the fit has not seen (cross-validation over four folds of conversations), with the calibration of
 * each file. The options are those of `bench:quality` that choose the service. Run `bench:quality` or `bench:fit`
 * first, so that the cache has the vectors; then a run takes five minutes of processor time.
 */
import { parseArgs } from 'node:util';
import { type AnswerResult, askWithin } from '../corpus/ask-within.js';
import { questionsOf } from '../corpus/dialogues.js';
import { readCorpora } from '../corpus/read-corpora.js';
import { SERVICE_OPTIONS, type StoredCorpora, withStoredCorpora } from '../corpus/with-stored-corpora.js';
import { reliabilityLines } from '../quality/reliability.js';
import { boundLines, calibrationLines, coefficientLines } from './calibration-lines.js';
import { type CalibrationQuestion, type CalibrationResult, estimate, fitModel, modelsByFold } from './fit-models.js';
import { type Variant, type VariantCorpus, variantOf, VARIANTS } from './variants.js';

/** The floor would drop the less probable results. */
const PARAMETERS = { limit: '20', adaptive_floor: 'false', explain: 'true' };
const DEPTH = 10;

const { values: options, positionals: files } = parseArgs({ allowPositionals: true, options: SERVICE_OPTIONS });
const corpora = await readCorpora(files);
const asked: CalibrationQuestion[] = [];
for (const variant of VARIANTS) {
  const variants = corpora.map((corpus) => variantOf(corpus, variant));
  await withStoredCorpora(variants, options, async (stored) => {
    for (const corpus of stored.corpora) asked.push(...(await askCorpus(stored, corpus, variant)));
    process.stderr.write(`asked ${asked.length} questions, the last of ${variant.name}\n`);
  });
}

const byFold = modelsByFold(asked);
console.log(['', ...coefficientLines(fitModel(asked), byFold)].join('\n'));
const estimated = asked.map((question) => ({ ...question, pair: estimate(question, byFold) }));
console.log(['\nleft-out conversations', ...calibrationLines(estimated.map(({ pair }) => pair))].join('\n'));
const whole = estimated.filter(({ variant }) => variant.partTurns === null && variant.hasSessions);
for (const name of [...corpora.map((corpus) => corpus.name), null]) {
  const pairs = whole.filter(({ corpus }) => name === null || corpus === name).map(({ pair }) => pair);
  console.log(
    [
      `\n${name ?? 'all files'}, whole conversations with sessions`,
      ...boundLines(pairs),
      '',
      ...reliabilityLines(pairs),
    ].join('\n'),
  );
}

async function askCorpus(
  stored: Pick<StoredCorpora, 'target' | 'sourceOf'>,
  { name, conversations }: VariantCorpus,
  variant: Variant,
): Promise<readonly CalibrationQuestion[]> {
  const samplesOf = async (question: string, tag: string): Promise<readonly CalibrationResult[]> => {
    const { results } = await askWithin(stored, { question, tag }, PARAMETERS);
    return results.slice(0, DEPTH).map(sampleOf);
  };
  const found: CalibrationQuestion[] = [];
  for (const { question, evidence, conversation, other } of questionsOf(conversations))
    found.push({
      corpus: name,
      variant,
      conversation: conversation.conversation,
      evidence,
      own: await samplesOf(question, conversation.tag),
      other: other ? await samplesOf(question, other.tag) : [],
    });
  return found;
}

function sampleOf({ source, match }: AnswerResult): CalibrationResult {
  if (!match) throw new Error(`The result ${source} has no explain.match: measure a service that estimates matches`);
  return { source, input: match };
}
