/**
 * `npm run bench:consolidation`: measures a full consolidation, a second one that has nothing to do, the recalls of one client meanwhile, and the
 * routes of entities. Starts the embedded service, or uses a running distributed one without a token (`--url`, `--admin-token`). The memories have
 * random vectors, ages and importances, three tags of entities and some associations.
 */
import { parseArgs } from 'node:util';
import { until } from '../../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { numberedId } from '../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { printTable, type Row, summarize, timeCalls, type Timing, timingRow } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';

const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    /** Associations of each memory. */
    associations: { type: 'string', default: '1' },
    recalls: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    'admin-token': { type: 'string', default: 'admin-token' },
  },
});

const MEMORIES = Number(options.memories);
const ASSOCIATIONS = MEMORIES * Number(options.associations);
const RECALLS = Number(options.recalls);
const HEADERS = { 'x-admin-token': options['admin-token'] };
const VARIABLES = {
  ADMIN_API_TOKEN: options['admin-token'],
  ALLOW_ANONYMOUS: 'true',
  PROJECTORS: 'vector-indexer,access-recorder,consolidator',
  JOB_WAIT_MS: '0',
};
const BATCH = 500;
const DIMENSION = 512;
const ENTITIES = 2_000;
const OLDEST_DAYS = 400;
const DEADLINE_MS = 3_600_000;
const CALLS = 50;

if (options.url === undefined)
  printTable(`consolidation of ${MEMORIES} memories, embedded`, await withService(measure, VARIABLES));
else printTable(`consolidation of ${MEMORIES} memories, ${options.url}`, await measure(createHttpCaller(options.url)));

async function measure(service: HttpCaller): Promise<readonly Row[]> {
  const random = seededRandom(Number(options.seed));
  await fill(service, random);
  await timeCalls(20, 1, () => recall(service, random)); // the first recalls plan and fill caches
  const quiet = await timeCalls(RECALLS, 1, () => recall(service, random));
  const entities = await measureEntities(service);
  const first = await consolidate(service, random);
  const second = await consolidate(service, random);
  return [
    { what: 'recall before, 1 client', figure: percentiles(quiet) },
    { what: `full consolidation, ${first.changed} relevances written`, figure: `${first.seconds.toFixed(1)} s` },
    { what: 'recall during it, 1 client', figure: percentiles(first.recalls) },
    { what: `second consolidation, ${second.changed} relevances written`, figure: `${second.seconds.toFixed(1)} s` },
    { what: 'recall during it, 1 client', figure: percentiles(second.recalls) },
    ...entities,
  ];
}

async function fill(service: HttpCaller, random: Random): Promise<void> {
  const now = new Date();
  for (let first = 0; first < MEMORIES; first += BATCH) {
    const memories = Array.from({ length: Math.min(BATCH, MEMORIES - first) }, (_, index) => {
      const at = new Date(now.getTime() - random.next() * OLDEST_DAYS * 86_400_000).toISOString();
      return {
        ...corpusMemory(random, first + index, now),
        id: numberedId(first + index),
        timestamp: at,
        last_accessed: at,
        importance: random.next(),
        tags: Array.from({ length: 3 }, () => `entity:people:person-${random.below(ENTITIES)}`),
        embedding: Array.from({ length: DIMENSION }, () => Number((random.next() - 0.5).toFixed(4))),
      };
    });
    await post(service, '/admin/import', { memories });
  }
  for (let first = 0; first < ASSOCIATIONS; first += BATCH) {
    const associations = Array.from({ length: BATCH }, () => ({
      memory1_id: numberedId(random.below(MEMORIES)),
      memory2_id: numberedId(random.below(MEMORIES)),
      type: 'RELATES_TO',
      strength: 0.5,
    }));
    await post(service, '/associate', { associations });
  }
  const isIndexed = async () => {
    const { body } = await service.request('GET', '/health');
    return body.in_flight === 0 && body.vector_count >= MEMORIES;
  };
  await until('all memories are indexed', isIndexed, DEADLINE_MS);
}

async function post(service: HttpCaller, path: string, body: object): Promise<void> {
  const reply = await service.request('POST', path, { headers: HEADERS, body });
  if (reply.status >= 300)
    throw new Error(`POST ${path} was answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)}`);
}

async function recall(service: HttpCaller, random: Random): Promise<void> {
  const { status } = await service.request('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`);
  if (status !== 200) throw new Error(`The recall was answered ${status}`);
}

type Measured = { readonly seconds: number; readonly changed: number; readonly recalls: Timing };

async function consolidate(service: HttpCaller, random: Random): Promise<Measured> {
  const startedAt = performance.now();
  const { status, body } = await service.request('POST', '/consolidate', { body: { dry_run: false } });
  if (status !== 202) throw new Error(`POST /consolidate answered ${status}: ${JSON.stringify(body)}`);
  const jobOf = async () => (await service.request('GET', `/admin/jobs/${body.job.id}`, { headers: HEADERS })).body.job;
  let job = body.job;
  const milliseconds: number[] = [];
  while (job.finished_at === null) {
    for (let number = 0; number < 10; number++) {
      const at = performance.now();
      await recall(service, random);
      milliseconds.push(performance.now() - at);
    }
    job = await jobOf();
  }
  if (job.error !== null) throw new Error(`The consolidation failed: ${job.error}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, changed: job.progress.steps.decay.changed, recalls: summarize(milliseconds, seconds) };
}

async function measureEntities({ request }: HttpCaller): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const path of [
    '/entities',
    '/entities?limit=500',
    '/entity/person-7',
    '/entities/merge-candidates',
    '/entities/audit?summary=1',
  ]) {
    const call = async (): Promise<void> => {
      const { status } = await request('GET', path, { headers: HEADERS });
      if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
    };
    await call(); // plans of statements are made once
    rows.push(timingRow(`GET ${path}`, await timeCalls(CALLS, 1, call)));
  }
  return rows;
}

function percentiles({ p50, p95 }: Timing): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
}
