/**
 * `npm run bench:quality -- FILE [--url URL] [--token TOKEN] [--identifiers] [--auto-decompose]`: measures the share of the evidence for real
 * questions that recall returns. Stores every turn of every conversation through the HTTP API, asks every question within its conversation, and
 * prints the figures next to those of plain rankers over the same texts and vectors. `--auto-decompose` also decomposes the questions;
 * `--identifiers` measures identifiers as well. Starts the embedded service as a child process, or measures a running one and leaves the
 * file's memories in it.
 */
import { parseArgs } from 'node:util';
import { createBundledEmbedder } from '../../../shared/embedding/bundled/bundled-embedder.js';
import { analyze, queryTerms } from '../../../shared/text/analyzer.js';
import { until } from '../../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { type Conversation, readDialogues, storeConversation } from '../corpus/dialogues.js';
import { withService } from '../measuring/with-service.js';
import { type AskedQuestion, comparisonLines, qualityLines } from './figures.js';
import { identifierLine, storeIdentifiers } from './identifiers.js';
import { PLAIN_RANKERS } from './plain-rankers.js';

const LIMIT = 20;
const INDEX_DEADLINE_MS = 1_800_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    identifiers: { type: 'boolean' },
    'auto-decompose': { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (file === undefined)
  throw new Error(
    'Name a file of conversations: npm run bench:quality -- FILE [--url URL] [--token TOKEN] [--identifiers] [--auto-decompose]',
  );
const dialogues = await readDialogues(file);

if (options.url !== undefined) await measure(createHttpCaller(options.url, options.token));
else await withService(measure);

async function measure(target: HttpCaller): Promise<void> {
  const turnOf = new Map<string, string>();
  for (const conversation of dialogues.conversations) await storeConversation(target, conversation, turnOf);
  await until(
    'everything is indexed',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    INDEX_DEADLINE_MS,
  );
  const asked: AskedQuestion[] = [];
  for (const conversation of dialogues.conversations) asked.push(...(await ask(target, conversation, turnOf)));
  console.log(qualityLines(asked).join('\n'));
  console.log(['', ...comparisonLines({ recall: asked, ...(await askPlainRankers()) })].join('\n'));
  if (options.identifiers) await measureIdentifiers(target);
}

async function measureIdentifiers(target: HttpCaller): Promise<void> {
  const identified = await storeIdentifiers(target);
  await until(
    'everything is indexed',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    INDEX_DEADLINE_MS,
  );
  console.log(`\n${await identifierLine(target, identified)}`);
}

/** Uses the bundled encoder, even if the measured service has another one. */
async function askPlainRankers(): Promise<Readonly<Record<string, AskedQuestion[]>>> {
  const embedder = await createBundledEmbedder();
  try {
    const asked: Record<string, AskedQuestion[]> = Object.fromEntries(
      Object.keys(PLAIN_RANKERS).map((name) => [name, []]),
    );
    for (const { turns, questions } of dialogues.conversations) {
      const texts = turns.map(({ speaker, text }) => `${speaker}: ${text}`);
      const corpus = { terms: texts.map(analyze), vectors: await embedder.embed(texts, { purpose: 'document' }) };
      for (const { question, category, evidence } of questions) {
        const [vector] = await embedder.embed([question], { purpose: 'query' });
        if (evidence.length === 0 || !vector) continue;
        for (const [name, rank] of Object.entries(PLAIN_RANKERS)) {
          const found = rank(corpus, { terms: queryTerms(question), vector })
            .slice(0, LIMIT)
            .map((index) => turns[index]?.id ?? '');
          asked[name]?.push({
            category: dialogues.categories[category] ?? String(category),
            evidence,
            found,
            characters: 0,
          });
        }
      }
    }
    return asked;
  } finally {
    await embedder.close();
  }
}

async function ask(
  target: HttpCaller,
  { id, questions }: Conversation,
  turnOf: ReadonlyMap<string, string>,
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const { question, category, evidence } of questions) {
    if (evidence.length === 0) continue;
    const parameters = new URLSearchParams({
      query: question,
      tags: `conversation:${id}`,
      limit: String(LIMIT),
      auto_decompose: String(options['auto-decompose']),
    });
    const { status, body } = await target.request('GET', `/recall?${parameters}`);
    if (status !== 200) throw new Error(`GET /recall answered ${status}: ${JSON.stringify(body)}`);
    const found: string[] = body.results.map((result: { id: string }) => turnOf.get(result.id) ?? '');
    asked.push({
      category: dialogues.categories[category] ?? String(category),
      evidence,
      found,
      characters: JSON.stringify(body).length,
    });
  }
  return asked;
}
