/**
 * `npm run bench:backup`: measures backup, restore, comparison and repair of the vector index, and the recalls of one client meanwhile. Starts the
 * embedded service, or uses a running distributed one without a token (`--url`, `--admin-token`, `--qdrant`), where it restores nothing. The
 * memories have random vectors of their own, so the encoder only works for the recalls.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import { until } from '../../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { numberedId } from '../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { printTable, type Row, summarize, timeCalls, type Timing } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';

const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '50000' },
    recalls: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    'admin-token': { type: 'string', default: 'admin-token' },
    /** The address of the collection or its alias, `http://HOST:PORT/collections/NAME`. */
    qdrant: { type: 'string' },
  },
});

const MEMORIES = Number(options.memories);
const RECALLS = Number(options.recalls);
const ADMIN = options['admin-token'];
const VARIABLES = { ADMIN_API_TOKEN: ADMIN, ALLOW_ANONYMOUS: 'true', PROJECTORS: 'vector-indexer,access-recorder' };
const BATCH = 500;
const DIMENSION = 512;
const SAMPLE_MS = 100;
const INDEXED_DEADLINE_MS = 3_600_000;
/** Memories whose points are removed before the repair. */
const REMOVED = Array.from({ length: Math.ceil(MEMORIES / 10) }, (_, index) => numberedId(index));
const { signal } = new AbortController();

type Target = HttpCaller & { readonly url: string; /** Null: other processes serve it. */ readonly pid: number | null };

if (options.url === undefined) {
  printTable(`backup of ${MEMORIES} memories, embedded`, await withService(measureEmbedded, VARIABLES));
} else {
  const { url, qdrant } = options;
  if (qdrant === undefined) throw new Error('--url needs --qdrant http://HOST:PORT/collections/NAME');
  const folder = await createTempFolder();
  const target = { ...createHttpCaller(url), url, pid: null };
  const rows = await measure(target, join(folder.path, 'backup.tar.gz'));
  await removePoints(qdrant);
  printTable(`backup of ${MEMORIES} memories, ${url}`, [...rows, await measureRepair(target)]);
  await folder.remove();
}

async function measureEmbedded(service: ChildService, folder: string): Promise<readonly Row[]> {
  const file = join(folder, 'backup.tar.gz');
  return [...(await measure(service, file)), ...(await measureRestore(file, join(folder, 'restored')))];
}

async function measure(service: Target, file: string): Promise<readonly Row[]> {
  const random = seededRandom(Number(options.seed));
  await fill(service, random);
  await timeCalls(20, 1, () => recall(service, random)); // the first recalls plan and fill caches
  const quiet = await timeCalls(RECALLS, 1, () => recall(service, random));
  const backup = await meanwhile(service, random, () =>
    saveBackup({ file, url: service.url, adminToken: ADMIN, history: false, signal }),
  );
  const { size } = await stat(file);
  const sync = await meanwhile(service, random, async () => {
    const body = await syncIndex(service, { dry_run: true });
    if (body.missing_count + body.stale_count + body.orphaned_count > 0)
      throw new Error(`POST /admin/sync found differences: ${JSON.stringify(body)}`);
  });
  return [
    { what: 'recall before, 1 client', figure: percentiles(quiet) },
    { what: 'backup', figure: `${rate(backup.seconds)}, ${megabytes(size)}${backup.resident}` },
    { what: 'recall during the backup, 1 client', figure: percentiles(backup.recalls) },
    { what: 'comparison of graph and index (`dry_run`)', figure: rate(sync.seconds) },
    { what: 'recall during the comparison, 1 client', figure: percentiles(sync.recalls) },
  ];
}

async function syncIndex(service: HttpCaller, body: object) {
  const reply = await service.request('POST', '/admin/sync', { headers: { 'x-admin-token': ADMIN }, body });
  if (reply.status !== 200) throw new Error(`POST /admin/sync answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

async function measureRepair(service: HttpCaller): Promise<Row> {
  const startedAt = performance.now();
  const { synced, failed } = await syncIndex(service, { batch_size: 100 });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (synced !== REMOVED.length)
    throw new Error(`${synced} of ${REMOVED.length} points were repaired, ${failed} failed`);
  return { what: `comparison and repair of ${synced} missing points`, figure: `${seconds.toFixed(1)} s` };
}

async function removePoints(collection: string): Promise<void> {
  const reply = await fetch(`${collection}/points/delete?wait=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ points: REMOVED }),
  });
  if (!reply.ok) throw new Error(`Qdrant answered ${reply.status}: ${await reply.text()}`);
}

async function fill(service: HttpCaller, random: Random): Promise<void> {
  const now = new Date();
  for (let first = 0; first < MEMORIES; first += BATCH) {
    const memories = Array.from({ length: Math.min(BATCH, MEMORIES - first) }, (_, index) => ({
      ...corpusMemory(random, first + index, now),
      id: numberedId(first + index),
      embedding: Array.from({ length: DIMENSION }, () => Number((random.next() - 0.5).toFixed(4))),
    }));
    const headers = { 'x-admin-token': ADMIN };
    const { status, body } = await service.request('POST', '/admin/import', { headers, body: { memories } });
    if (status >= 300) throw new Error(`The import was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
  await waitUntilIndexed(service);
}

async function waitUntilIndexed(service: HttpCaller): Promise<void> {
  const isIndexed = async () => {
    const { body } = await service.request('GET', '/health');
    return body.in_flight === 0 && body.vector_count >= MEMORIES;
  };
  await until('all memories are indexed', isIndexed, INDEXED_DEADLINE_MS);
}

async function recall(service: HttpCaller, random: Random): Promise<void> {
  const { status } = await service.request('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`);
  if (status !== 200) throw new Error(`The recall was answered ${status}`);
}

/** Runs `work` while one client recalls, and samples the memory of the service. */
async function meanwhile(service: Target, random: Random, work: () => Promise<unknown>) {
  const startedAt = performance.now();
  let seconds: number | null = null;
  const working = work().then(() => (seconds = (performance.now() - startedAt) / 1_000));
  const [before, sampled] = [await residentKb(service.pid), sampleUntil(() => seconds !== null, service.pid)];
  const durations: number[] = [];
  while (seconds === null) {
    const begin = performance.now();
    await recall(service, random);
    durations.push(performance.now() - begin);
  }
  await working;
  const highest = await sampled;
  const resident = service.pid
    ? `; resident ${megabytes(before * 1_024)} before, at most ${megabytes(highest * 1_024)}`
    : '';
  return { seconds: Number(seconds), resident, recalls: summarize(durations, performance.now() - startedAt) };
}

async function sampleUntil(isOver: () => boolean, pid: number | null): Promise<number> {
  let highest = 0;
  while (!isOver()) {
    highest = Math.max(highest, await residentKb(pid));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  return highest;
}

/** 0 for a process that has ended or is unknown, and on a system without /proc. */
async function residentKb(pid: number | null): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0);
}

async function measureRestore(file: string, dataFolder: string): Promise<readonly Row[]> {
  const startedAt = performance.now();
  const child = startChild({
    main: 'deploy/commands/restore/main.js',
    arguments: [file],
    folder: join(file, '..'),
    variables: { PALIMPSEST_DATA_DIR: dataFolder },
  });
  const sampled = sampleUntil(() => !child.isRunning(), child.pid);
  if ((await child.ended) !== 0) throw new Error(child.output());
  const restored = (performance.now() - startedAt) / 1_000;
  const resident = megabytes((await sampled) * 1_024);
  const indexed = await withRestored(dataFolder, async (service) => {
    await waitUntilIndexed(service);
    return (performance.now() - startedAt) / 1_000 - restored;
  });
  const database = openDatabase(join(dataFolder, 'palimpsest.db'), { busyTimeoutMs: 0 });
  for (const id of REMOVED) database.run('DELETE FROM points WHERE id = ?', [id]);
  database.close();
  return [
    { what: 'restore', figure: `${rate(restored)}; resident at most ${resident}` },
    { what: 'index filled after the start', figure: rate(indexed) },
    await withRestored(dataFolder, measureRepair),
  ];
}

async function withRestored<T>(dataFolder: string, work: (service: ChildService) => Promise<T>): Promise<T> {
  const service = await startChildService({ dataFolder, variables: VARIABLES });
  try {
    return await work(service);
  } finally {
    await service.stop('SIGTERM');
  }
}

function rate(seconds: number): string {
  return `${seconds.toFixed(1)} s (${Math.round(MEMORIES / seconds)} memories/s)`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}

function percentiles({ count, p50, p95 }: Timing): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${count} recalls)`;
}
