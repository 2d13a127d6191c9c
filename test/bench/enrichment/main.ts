/**
 * `npm run bench:enrichment`: measures memories enriched per second, what callers notice of a backlog, the lag of enrichment behind a steady
 * stream of stores, and its effect on recall. The memories come with vectors, so the encoder does not affect the result. Starts the embedded service as a child process, or
 * measures a running one (`--url`, `--token`, `--admin-token`).
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createStoreWithVector } from '../corpus/store-with-vector.js';
import { withAdminToken } from '../measuring/enricher.js';
import { printTable, type Row } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';
import { measureBacklogLoad } from './backlog-load.js';
import { measureEnrichmentLoad } from './steady-load.js';
import { measureThroughput } from './throughput.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    // Admin routes pause and resume the enricher.
    'admin-token': { type: 'string' },
    memories: { type: 'string', default: '5000' },
    // Duration of each run at a steady rate; 0 skips these runs.
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});

const ADMIN_TOKEN = 'bench-admin';
/** Linux counts processor time in hundredths of a second on every architecture that Node runs on. */
const TICK_MS = 10;

if (options.url === undefined) {
  printTable(
    `${options.memories} memories, embedded`,
    await withService((service) => measure(withAdminToken(service, ADMIN_TOKEN), () => cpuTimeMs(service.pid)), {
      ADMIN_API_TOKEN: ADMIN_TOKEN,
    }),
  );
} else {
  printTable(
    `${options.memories} memories, ${options.url}`,
    await measure(
      withAdminToken(createHttpCaller(options.url, options.token), options['admin-token'] ?? ''),
      async () => null,
    ),
  );
}

async function measure(target: HttpCaller, cpuMs: () => Promise<number | null>): Promise<readonly Row[]> {
  const random = seededRandom(Number(options.seed));
  const store = createStoreWithVector(target, random);
  const [count, seconds] = [Number(options.memories), Number(options.seconds)];
  const throughput = await measureThroughput({ target, store, count, cpuMs });
  const backlog = await measureBacklogLoad({ target, store, random, count, firstIndex: count });
  const load =
    seconds === 0 ? [] : await measureEnrichmentLoad({ target, store, random, seconds, firstIndex: 3 * count });
  return [...throughput, ...backlog, ...load];
}

/** The processor time of a process with all its threads, in milliseconds, from Linux's /proc; null on other systems. */
async function cpuTimeMs(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is a name in brackets that may hold blanks, so split after the last bracket. Fields 14 and 15 are user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
