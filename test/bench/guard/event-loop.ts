/**
 * The costly requests of the API, one after the other: how long each one occupies the main thread without a pause. In a
 * process of its own, because in the process of a test the client and the checks run in the same thread.
 */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';

const RECORDER = new URL('loop-recorder.js', import.meta.url).href;
const LIMIT_MS = 50;
/** A request may try again: a first run contains the compiler and more of the garbage collector. */
const RUNS = 3;

const MEGABYTE = 1024 * 1024;
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const words = (count: number, from = 0): string => many(count, (index) => `word${(from + index * 7) % 997}`).join(' ');

function query(values: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(values).flatMap(([name, each]) =>
    [each].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}

const memory = (index: number) => ({
  content: words(10, index),
  tags: [`project:one:${index % 50}`, `tag${index % 100}`],
  metadata: { source: `file ${index}` },
});
const batch = (make: (index: number) => object, size = 500) => ({ memories: many(size, make) });
const deepTags = (index: number) => many(30, (tag) => many(16, (level) => `${index % 8}x${tag}l${level}`).join(':'));
const manyNames = (index: number) => Object.fromEntries(many(110, (name) => [`n${index}_${name}`, many(12, String)]));

type Request = readonly [method: string, path: string, body?: unknown];

/** By title. `ids`: memories of the service; the first is a hub of associations. */
const REQUESTS: Readonly<Record<string, (ids: readonly string[]) => Request>> = {
  'a batch of 500 memories': () => ['POST', '/memory/batch', batch(memory)],
  'a batch with 57,600 levels of tags': () => [
    'POST',
    '/memory/batch',
    batch((index) => ({ content: 'a', tags: deepTags(index) }), 120),
  ],
  'a batch with 55,000 names and 660,000 values': () => [
    'POST',
    '/memory/batch',
    batch((index) => ({ content: 'a', metadata: manyNames(index) })),
  ],
  'a memory of 5 MB': () => ['POST', '/memory', { content: 'a'.repeat(5 * MEGABYTE) }],
  'a memory with 90,000 tags': () => ['POST', '/memory', { content: 'a', tags: many(90_000, (tag) => `tag ${tag}`) }],
  'metadata with 6,000 values': ([id]) => ['PATCH', `/memory/${id}`, { metadata: { m: many(6_000, String) } }],
  'a batch of 25 MB': () => [
    'POST',
    '/memory/batch',
    batch(() => ({ content: 'a', metadata: { m: 'b'.repeat(50_000) } })),
  ],
  '500 associations': (ids) => [
    'POST',
    '/associate',
    {
      associations: many(500, (index) => ({
        memory1_id: ids[index],
        memory2_id: ids[index + 1],
        type: 'RELATES_TO',
        properties: { reason: 'r'.repeat(3_000) },
      })),
    },
  ],
  'a recall of ten queries of 1,000 characters': () => [
    'GET',
    `/recall?${query({ queries: many(10, (index) => words(600, index).slice(0, 1_000)) })}`,
  ],
  'a recall of 100 results with expansions': () => [
    'GET',
    `/recall?${query({ query: words(10), limit: '100', expand_relations: 'true', expand_entities: 'true' })}`,
  ],
  'a recall without a query': () => ['GET', '/recall?limit=100'],
  'related memories to depth 3': ([id]) => [
    'GET',
    `/memories/${id}/related?${query({ max_depth: '3', limit: '200' })}`,
  ],
  'neighbours to depth 3': ([id]) => ['GET', `/graph/neighbors/${id}?${query({ depth: '3', max_nodes: '500' })}`],
  'a snapshot': () => ['GET', '/graph/snapshot?limit=0'],
  'an analysis': () => ['GET', '/analyze'],
  '1,000 events': () => ['GET', '/events?after=0&limit=1000'],
  '50 lists of the tools of MCP': () => [
    'POST',
    '/mcp',
    many(50, (id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
  ],
};

/** Refused with 400 after all of the body was read; all others succeed. */
const REFUSED: ReadonlySet<string> = new Set(['a memory of 5 MB', 'a memory with 90,000 tags']);

/**
 * Prints a line for each request. Returns the number of those that occupied the main thread for too long, or that were
 * not answered as expected.
 */
export async function guardEventLoop(): Promise<number> {
  const folder = await createTempFolder();
  const service = await startChildService({
    dataFolder: folder.path,
    variables: { NODE_OPTIONS: `--import=${RECORDER}`, MCP_ENABLED: 'true' },
  });
  try {
    const longestTurn = createRecordReader(service);
    const ids = await fill(service);
    let failed = 0;
    for (const [title, make] of Object.entries(REQUESTS)) {
      const runs: string[] = [];
      let isWithin = false;
      for (let run = 0; run < RUNS && !isWithin; run += 1) {
        const { turnMs, status } = await measure(service, make(ids), longestTurn);
        const isExpected = REFUSED.has(title) ? status === 400 : status < 300;
        isWithin = isExpected && turnMs <= LIMIT_MS;
        runs.push(`${turnMs} ms in one turn, answered ${status}`);
      }
      const verdict = isWithin ? 'passed' : `FAILED: more than ${LIMIT_MS} ms, or another answer`;
      process.stdout.write(`${title}: ${runs.join('; ')}: ${verdict}\n`);
      failed += isWithin ? 0 : 1;
    }
    return failed;
  } finally {
    await service.stop('SIGTERM');
    await folder.remove();
  }
}

async function measure(
  service: ChildService,
  [method, path, body]: Request,
  longestTurn: () => Promise<number>,
): Promise<{ readonly turnMs: number; readonly status: number }> {
  const raw = body === undefined ? {} : { raw: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  await longestTurn();
  const { status } = await service.request(method, path, { ...raw, headers });
  return { turnMs: await longestTurn(), status };
}

/** Reads what the recorder prints after a signal. */
function createRecordReader({ signal, output }: ChildService): () => Promise<number> {
  let records = 0;
  return async () => {
    records += 1;
    const pattern = new RegExp(`longest turn ${records}: (\\d+\\.\\d) ms`, 'u');
    signal('SIGUSR2');
    const [, turnMs] = await until('the recorder has printed', async () => pattern.exec(output()) ?? false, 60_000);
    return Number(turnMs);
  };
}

const HUB_ASSOCIATIONS = 500;

async function fill({ request }: HttpCaller): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let part = 0; part < 2; part += 1) {
    const { body } = await request('POST', '/memory/batch', { body: batch((index) => memory(part * 500 + index)) });
    ids.push(...(body.memory_ids as string[]));
  }
  const ends = ids.slice(1, 1 + HUB_ASSOCIATIONS);
  await request('POST', '/associate', {
    body: { associations: ends.map((end) => ({ memory1_id: ids[0], memory2_id: end, type: 'RELATES_TO' })) },
  });
  return ids;
}
