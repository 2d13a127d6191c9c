/**
 * `npm run bench:guard`: fails when an operation takes much more processor time than when its bound was recorded, or
 * when a request occupies the main thread for long. Each figure of the first kind is a ratio to the processor time of a
 * bare HTTP exchange in the same run, so a slow or busy machine changes both. Exits with 77 where processor times
 * cannot be read.
 */
import { until } from '../../support/checks/until.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { startChildService } from '../../support/processes/child-service.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { createStoreWithVector, fill } from '../corpus/fill.js';
import { processorTime } from '../measuring/processor-time.js';
import { checkedCall } from '../measuring/run-bench.js';
import { timeCalls } from '../measuring/timing.js';
import { BOUNDS, type Operation } from './bounds.js';
import { guardEventLoop } from './event-loop.js';

const MEMORIES = 2_000;
const CLIENTS = 4;
/** Of several rounds the cheapest counts: other work on the machine only makes a round dearer. */
const ROUNDS = 3;
const NOTHING_CHECKED = 77;

process.exitCode = (await processorTime(process.pid)) === null ? NOTHING_CHECKED : await guard();

async function guard(): Promise<number> {
  const failed = (await guardBounds()) + (await guardEventLoop());
  return failed === 0 ? 0 : 1;
}

/** Prints a line for each operation. Returns the number of those above their bound. */
async function guardBounds(): Promise<number> {
  const folder = await createTempFolder();
  const service = await startChildService({ dataFolder: folder.path });
  const bare = startChild({ main: 'test/bench/guard/bare-server.js', folder: folder.path });
  try {
    const [url] = await bare.prints(/http:\S+/u);
    const random = seededRandom(1);
    const target = { ...service, call: checkedCall(service) };
    await fill(target, random, { size: MEMORIES, encoded: 0 });
    await untilEnriched(service);
    const store = createStoreWithVector(target, random);
    const listed = await service.request('GET', '/memory/by-tag?tags=sprint-3&limit=50');
    const ids = (listed.body.memories as { readonly id: string }[]).map(({ id }) => id);
    const questions = Array.from({ length: 20 }, () => encodeURIComponent(corpusQuestion(random)));
    const question = (index: number): string => questions[index % questions.length] ?? '';
    const operations: Readonly<Record<Operation, Work>> = {
      get: { calls: 1_000, run: (index) => service.request('GET', `/memory/${ids[index % ids.length] ?? ''}`) },
      recall: { calls: 200, run: (index) => service.request('GET', `/recall?query=${question(index)}&limit=10`) },
      'recall with a tag': {
        calls: 200,
        run: (index) => service.request('GET', `/recall?query=${question(index)}&limit=10&tags=project:project-3`),
      },
      store: { calls: 200, run: (index) => store(MEMORIES + index) },
    };
    const floor = createHttpCaller(url);
    const floorMs = await cheapest(bare.pid, { calls: 3_000, run: () => floor.request('GET', '/') });
    process.stdout.write(`bare exchange: ${floorMs.toFixed(3)} ms of processor time\n`);
    let failed = 0;
    for (const [name, work] of Object.entries(operations) as [Operation, Work][]) {
      const ratio = (await cheapest(service.pid, work)) / floorMs;
      const { measured, most } = BOUNDS[name];
      const verdict = ratio <= most ? 'passed' : `FAILED: more than ${most}`;
      process.stdout.write(`${name}: ${ratio.toFixed(1)} bare exchanges (recorded ${measured}): ${verdict}\n`);
      failed += ratio <= most ? 0 : 1;
    }
    return failed;
  } finally {
    await bare.stop('SIGKILL');
    await service.stop('SIGTERM');
    await folder.remove();
  }
}

/** Enrichment would count as processor time of the first operations. */
function untilEnriched(service: HttpCaller): Promise<unknown> {
  return until(
    'all memories are enriched',
    async () => {
      const { body } = await service.request('GET', '/enrichment/status');
      return body.pending === 0 && body.queue_size === 0 && body.inflight === 0;
    },
    300_000,
  );
}

type Work = { readonly calls: number; readonly run: (index: number) => Promise<unknown> };

/** Milliseconds of processor time of one call, in the cheapest round, after a round that warms up. */
async function cheapest(pid: number, { calls, run }: Work): Promise<number> {
  let least = Infinity;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = (await processorTime(pid)) ?? Number.NaN;
    await timeCalls(calls, CLIENTS, run);
    const spent = (((await processorTime(pid)) ?? Number.NaN) - before) / calls;
    if (round > 0) least = Math.min(least, spent);
  }
  return least;
}
