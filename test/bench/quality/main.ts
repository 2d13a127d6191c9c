/**
 * `npm run bench:quality -- FILE [FILE ...] [options]`: measures the share of the evidence for real questions that
 * recall returns. Stores every turn of all files in one service, each conversation under its tag, asks every question
 * within its conversation, and prints the figures of each file next to those of plain rankers over the same texts and
 * vectors. Each question is also asked within another conversation, where nothing fits. `notes` instead of a file is
 * the generated corpus of short notes.
 *
 * `--vectors FILE` names the cache of vectors, `--variable NAME=VALUE` sets a variable of the service, `--identifiers`
 * measures identifiers as well, `--identifiers-among NUMBER` among this number of memories with random vectors. `--url`
 * and `--token` measure a running service, which keeps the memories.
 */
import { parseArgs } from 'node:util';
import { askWithin } from '../corpus/ask-within.js';
import { type Corpus, questionsOf } from '../corpus/dialogues.js';
import { readCorpora } from '../corpus/read-corpora.js';
import { SERVICE_OPTIONS, type StoredCorpora, withStoredCorpora } from '../corpus/with-stored-corpora.js';
import { qualityLines } from './figures.js';
import { identifierLines, rankIdentifiers } from './identifiers.js';
import { type AnswerPair, nothingFitsLines } from './nothing-fits.js';
import { askPlainRankers } from './plain-rankers.js';
import { reliabilityLines } from './reliability.js';

const LIMIT = 20;
/** Memories among which `--identifiers` asks for identifiers. */
const ENCODED_OTHERS = 5_900;
const PARAMETERS = { limit: String(LIMIT) };

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { ...SERVICE_OPTIONS, identifiers: { type: 'boolean' }, 'identifiers-among': { type: 'string' } },
});

await withStoredCorpora(await readCorpora(files), options, async (stored) => {
  const allPairs: AnswerPair[] = [];
  for (const corpus of stored.corpora) {
    const asked = await askCorpus(stored, corpus);
    const ranked = asked.map(({ own, ...one }) => ({ ...one, found: own.results.map(({ source }) => source) }));
    const baselines = await askPlainRankers(corpus, { embedder: stored.embedder, limit: LIMIT });
    // Absent for the only conversation of a file, and when the answers have no `nothing_fits`.
    const pairs = asked.flatMap(({ other, ...one }) => (other ? [{ ...one, other }] : []));
    const calibration = pairs.length === 0 ? [] : reliabilityLines(pairs);
    console.log(
      [`\n${corpus.name}`, ...qualityLines(ranked, baselines), ...nothingFitsLines(pairs), ...calibration].join('\n'),
    );
    allPairs.push(...pairs);
  }
  console.log(['\nall files', ...nothingFitsLines(allPairs)].join('\n'));
  const among = options['identifiers-among'];
  if (options.identifiers || among !== undefined) {
    const size = Number(among ?? ENCODED_OTHERS);
    const ranked = await rankIdentifiers(stored.target, { size, encoded: among === undefined ? size : 0 });
    console.log(['', ...identifierLines(ranked, size)].join('\n'));
  }
});

async function askCorpus(stored: StoredCorpora, { conversations }: Corpus) {
  const asked: (Omit<AnswerPair, 'other'> & Partial<AnswerPair> & { readonly category: string })[] = [];
  for (const { question, category, evidence, conversation, other } of questionsOf(conversations)) {
    const own = await askWithin(stored, { question, tag: conversation.tag }, PARAMETERS);
    const isAskedAgain = other !== null && own.nothingFits !== undefined;
    asked.push({
      category,
      evidence,
      own,
      ...(isAskedAgain && { other: await askWithin(stored, { question, tag: other.tag }, PARAMETERS) }),
    });
  }
  return asked;
}
