/**
 * `npm run bench:quality -- FILE [FILE ...] [options]`: measures the share of the evidence for real questions that recall returns. Stores every
 * turn of all files in one service, each conversation under its tag, asks every question within its conversation, and prints the figures of
 * each file next to those of plain rankers over the same texts and vectors. Each question is also asked within another conversation, where
 * nothing fits.
 *
 * `--vectors FILE` names the cache of vectors, `--variable NAME=VALUE` sets a variable of the service, `--auto-decompose` also decomposes the
 * questions, `--identifiers` measures identifiers as well, `--identifiers-among NUMBER` among this number of memories with random vectors.
 * `--url` and `--token` measure a running service, which keeps the memories.
 */
import { parseArgs } from 'node:util';
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { askWithin } from '../corpus/ask-within.js';
import { type Conversation, type Corpus, readCorpora } from '../corpus/dialogues.js';
import {
  SERVICE_OPTIONS,
  SERVICE_USAGE,
  type StoredCorpora,
  withStoredCorpora,
} from '../corpus/with-stored-corpora.js';
import { askPlainRankers } from './ask-plain-rankers.js';
import { characterLine, qualityLines } from './figures.js';
import { identifierLines, OTHERS, rankIdentifiers, storeIdentifiers } from './identifiers.js';
import { type AnswerPair, nothingFitsLines } from './nothing-fits.js';

const LIMIT = 20;
const INDEX_DEADLINE_MS = 1_800_000;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    ...SERVICE_OPTIONS,
    identifiers: { type: 'boolean' },
    'identifiers-among': { type: 'string' },
    'auto-decompose': { type: 'boolean', default: false },
  },
});
if (files.length === 0)
  throw new Error(
    `Name files of conversations: npm run bench:quality -- FILE [FILE ...] [--identifiers] [--identifiers-among NUMBER] [--auto-decompose] ${SERVICE_USAGE}`,
  );

await withStoredCorpora(await readCorpora(files), options, async (stored) => {
  const allPairs: AnswerPair[] = [];
  for (const corpus of stored.corpora) {
    const asked = await askCorpus(stored, corpus);
    const baselines = await askPlainRankers(corpus, { embedder: stored.embedder, limit: LIMIT });
    console.log(
      [
        `\n${corpus.name}`,
        ...qualityLines(asked.map(ranked), baselines),
        characterLine(asked.map(({ own }) => own.characters)),
        ...nothingFitsLines(pairsOf(asked)),
      ].join('\n'),
    );
    allPairs.push(...pairsOf(asked));
  }
  console.log(['\nall files', ...nothingFitsLines(allPairs)].join('\n'));
  const among = options['identifiers-among'];
  if (options.identifiers || among !== undefined)
    await measureIdentifiers(stored.target, among === undefined ? null : Number(among));
});

type Asked = Pick<AnswerPair, 'evidence' | 'own'> & {
  readonly category: string;
  /** Absent for the only conversation of a file, and when the answers have no `nothing_fits`. */
  readonly other?: AnswerPair['other'];
};

async function askCorpus(stored: StoredCorpora, { conversations }: Corpus): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const next = conversations[(index + 1) % conversations.length];
    asked.push(...(await askConversation(stored, conversation, next === conversation ? undefined : next)));
  }
  return asked;
}

async function askConversation(
  stored: StoredCorpora,
  { tag, questions }: Conversation,
  other: Conversation | undefined,
): Promise<readonly Asked[]> {
  const parameters = { limit: String(LIMIT), auto_decompose: String(options['auto-decompose']) };
  const asked: Asked[] = [];
  for (const { question, category, evidence } of questions) {
    const own = await askWithin(stored, { question, tag }, parameters);
    asked.push({
      category,
      evidence,
      own,
      ...(other && own.nothingFits !== undefined
        ? { other: await askWithin(stored, { question, tag: other.tag }, parameters) }
        : {}),
    });
  }
  return asked;
}

function ranked({ category, evidence, own }: Asked) {
  return { category, evidence, found: own.results.map(({ source }) => source) };
}

function pairsOf(asked: readonly Asked[]): readonly AnswerPair[] {
  return asked.flatMap(({ evidence, own, other }) => (other ? [{ evidence, own, other }] : []));
}

async function measureIdentifiers(target: HttpCaller, among: number | null): Promise<void> {
  const identified = await storeIdentifiers(target, among);
  await until(
    'everything is indexed',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    INDEX_DEADLINE_MS,
  );
  const ranked = await rankIdentifiers(target, identified);
  console.log(['', ...identifierLines(ranked, among ?? OTHERS)].join('\n'));
}
