/**
 * `npm run bench:inspection`: measures the routes that show the graph. Starts the embedded service as a child process and fills it, or measures
 * a running one that is filled already (`--url`, `--token`).
 */
import { parseArgs } from 'node:util';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { fill } from '../corpus/fill.js';
import { printTable, type Row, timeCalls, timingRow } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';
import { associateAll } from '../recall/associate-all.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    size: { type: 'string', default: '20000' },
    /** Memories that the service embeds; the others have random vectors. */
    encoded: { type: 'string', default: '0' },
    /** Associations of each memory. */
    associations: { type: 'string', default: '3' },
    calls: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});

const SNAPSHOT_NODES = 5_000;
/** A snapshot is large, so it is measured with fewer calls. */
const SNAPSHOT_CALLS = 20;

if (options.url !== undefined) await measure(createHttpCaller(options.url, options.token), []);
else
  await withService(async (service) => {
    const random = seededRandom(Number(options.seed));
    const rows = await fill(service, random, { size: Number(options.size), encoded: Number(options.encoded) });
    await measure(service, [...rows, ...(await associateAll(service, random, Number(options.associations)))]);
  });

async function measure(target: HttpCaller, filled: readonly Row[]): Promise<void> {
  const ids = await sampleIds(target);
  const at = (index: number): string => ids[index % ids.length] ?? '';
  const calls = Number(options.calls);
  const routes: readonly (readonly [string, number, (index: number) => string])[] = [
    ['related', calls, (index) => `/memories/${at(index)}/related`],
    ['related, depth 3', calls, (index) => `/memories/${at(index)}/related?max_depth=3`],
    ['neighbors', calls, (index) => `/graph/neighbors/${at(index)}`],
    ['neighbors, depth 2', calls, (index) => `/graph/neighbors/${at(index)}?depth=2`],
    ['neighbors, depth 3', calls, (index) => `/graph/neighbors/${at(index)}?depth=3`],
    ['snapshot of 500', calls, () => '/graph/snapshot'],
    ['snapshot of 500 of one type', calls, () => '/graph/snapshot?types=Insight'],
    [`snapshot of ${SNAPSHOT_NODES}`, SNAPSHOT_CALLS, () => `/graph/snapshot?limit=${SNAPSHOT_NODES}`],
    ['stats', calls, () => '/graph/stats'],
    ['analyze', calls, () => '/analyze'],
    ['types', calls, () => '/graph/types'],
    ['relations', calls, () => '/graph/relations'],
    ['startup-recall', calls, () => '/startup-recall'],
  ];
  const rows: Row[] = [];
  for (const [what, count, pathOf] of routes) rows.push(await timeRoute(target, what, { count, pathOf }));
  printTable(`inspection, ${options.size} memories, one client`, [...filled, ...rows]);
}

async function timeRoute(
  { request }: HttpCaller,
  what: string,
  { count, pathOf }: { readonly count: number; readonly pathOf: (index: number) => string },
): Promise<Row> {
  const call = async (index: number): Promise<void> => {
    const { status } = await request('GET', pathOf(index));
    if (status !== 200) throw new Error(`GET ${pathOf(index)} answered ${status}`);
  };
  await call(0); // plans of statements are made once
  return timingRow(what, await timeCalls(count, 1, call));
}

/** Ids over the whole range of importance. */
async function sampleIds({ request }: HttpCaller): Promise<readonly string[]> {
  const { body } = await request('GET', `/graph/snapshot?limit=${SNAPSHOT_NODES}`);
  const nodes = body.nodes as readonly { readonly id: string }[];
  return nodes.filter((_, index) => index % Math.ceil(nodes.length / 200) === 0).map(({ id }) => id);
}
