/**
 * `npm run bench:vectors`: measures a rebuild of the vector index from the embedding cache, and recalls before and meanwhile. Starts the embedded
 * service as a child process, or uses a running one (`--url`, `--token`, `--admin-token`; `--filled` skips filling). The enricher is paused.
 */
import { parseArgs } from 'node:util';
import { until } from '../../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChildService } from '../../support/processes/child-service.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { fill } from '../corpus/fill.js';
import { controlEnricher, withAdminToken } from '../measuring/enricher.js';
import { printTable, type Row, summarize, timeCalls, timingRow } from '../measuring/timing.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'admin-token': { type: 'string', default: 'of-the-bench' },
    filled: { type: 'boolean', default: false },
    memories: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '2' },
    rest: { type: 'string' },
  },
});

const MEMORIES = Number(options.memories);
const CLIENTS = Number(options.clients);
const CALLS_BEFORE = 1_000;
const QUESTIONS = 40;
const random = seededRandom(1);
const questions = Array.from({ length: QUESTIONS }, () => corpusQuestion(random));

if (options.url === undefined) {
  const folder = await createTempFolder();
  const variables = {
    ADMIN_API_TOKEN: options['admin-token'],
    ...(options.rest !== undefined && { INDEX_REBUILD_REST_PERCENT: options.rest }),
  };
  const service = await startChildService({ dataFolder: folder.path, variables });
  printTable(`${MEMORIES} memories, embedded`, await measure(service));
  await service.stop('SIGTERM');
  await folder.remove();
} else {
  printTable(options.url, await measure(createHttpCaller(options.url, options.token)));
}

async function measure(caller: HttpCaller): Promise<readonly Row[]> {
  const target = withAdminToken(caller, options['admin-token']);
  await controlEnricher(target, 'pause');
  if (!options.filled) await fill(target, random, { size: MEMORIES, encoded: 0 });
  await timeCalls(QUESTIONS, CLIENTS, (index) => recall(target, index));
  const before = await timeCalls(CALLS_BEFORE, CLIENTS, (index) => recall(target, index));
  const meanwhile = await rebuild(target);
  return [timingRow('recall before', before), ...meanwhile];
}

async function rebuild(target: HttpCaller): Promise<readonly Row[]> {
  const { status, body } = await target.request('POST', '/admin/projections/vectors/rebuild', { body: {} });
  if (status !== 202) throw new Error(`The rebuild answered ${status}: ${JSON.stringify(body)}`);
  const startedAt = performance.now();
  let filledMs = 0;
  let isDone = false;
  const recalls = recallUntil(target, () => isDone);
  const job = await until(
    'the rebuild has ended',
    async () => {
      const now = (await target.request('GET', `/admin/jobs/${body.job.id}`)).body.job;
      const { filled = 0, memories } = now.progress;
      if (filledMs === 0 && filled > 0 && filled === memories) filledMs = performance.now() - startedAt;
      return now.finished_at !== null && now;
    },
    3_600_000,
  ).finally(() => (isDone = true));
  if (job.error !== null) throw new Error(job.error);
  const seconds = (performance.now() - startedAt) / 1_000;
  return [
    timingRow('recall during the rebuild', await recalls),
    { what: 'vectors from the cache', figure: `${Math.round((job.progress.filled / filledMs) * 1_000)}/s` },
    { what: 'whole job', figure: `${seconds.toFixed(1)} s, parity ${JSON.stringify(job.progress.parity)}` },
  ];
}

async function recallUntil(target: HttpCaller, isDone: () => boolean) {
  const durations: number[] = [];
  const startedAt = performance.now();
  const client = async (first: number): Promise<void> => {
    for (let index = first; !isDone(); index += CLIENTS) {
      const before = performance.now();
      await recall(target, index);
      durations.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => client(first)));
  return summarize(durations, performance.now() - startedAt);
}

async function recall(target: HttpCaller, index: number): Promise<void> {
  const query = encodeURIComponent(questions[index % QUESTIONS] ?? '');
  const { status } = await target.request('GET', `/recall?query=${query}&limit=10`);
  if (status !== 200) throw new Error(`GET /recall answered ${status}`);
}
