/**
 * `npm run bench:enrichment`: memories enriched per second, how far enrichment lags behind a steady stream of stores, and what it costs
 * recall. The memories bring vectors of their own, so that the encoder is no part of it. Starts the embedded service as a child process,
 * or measures a running one (`--url`, `--token`, `--admin-token`).
 */
import { parseArgs } from 'node:util';
import { createHttpCaller, type HttpCaller } from '../support/http-caller.js';
import { seededRandom } from '../support/random.js';
import { cpuTimeMs } from './cpu-time.js';
import { measureEnrichmentLoad } from './enrichment-load.js';
import { measureThroughput } from './enrichment-throughput.js';
import { asAdmin } from './steer-enricher.js';
import { createStoreGiven } from './given-memory.js';
import { printTable, type Row } from './measure.js';
import { withService } from './with-service.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    // The enricher is paused and resumed by admin routes.
    'admin-token': { type: 'string' },
    memories: { type: 'string', default: '5000' },
    // Of each run at a steady rate; 0 leaves them out.
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});

const ADMIN_TOKEN = 'bench-admin';

if (options.url === undefined) {
  printTable(
    `${options.memories} memories, embedded`,
    await withService((service) => measure(asAdmin(service, ADMIN_TOKEN), () => cpuTimeMs(service.pid)), {
      ADMIN_API_TOKEN: ADMIN_TOKEN,
    }),
  );
} else {
  printTable(
    `${options.memories} memories, ${options.url}`,
    await measure(
      asAdmin(createHttpCaller(options.url, options.token), options['admin-token'] ?? ''),
      async () => null,
    ),
  );
}

async function measure(target: HttpCaller, cpuMs: () => Promise<number | null>): Promise<readonly Row[]> {
  const random = seededRandom(Number(options.seed));
  const store = createStoreGiven(target, random);
  const [count, seconds] = [Number(options.memories), Number(options.seconds)];
  const throughput = await measureThroughput({ target, store, count, cpuMs });
  const load = seconds === 0 ? [] : await measureEnrichmentLoad({ target, store, random, seconds, firstIndex: count });
  return [...throughput, ...load];
}
