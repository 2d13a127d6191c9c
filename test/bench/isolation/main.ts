/**
 * `npm run bench:isolation`: measures what other callers notice while one caller provokes the most costly or failing paths for a minute each.
 * Starts the embedded service as a child process, or fills and measures a running one (`--url`, `--token`). With NEO4J_URL in the environment
 * it also makes Neo4j unable to finish committed events. The aim: p95 within 3 times of the quiet one, and no failed request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { fill } from '../corpus/fill.js';
import { waitUntilEnriched } from '../measuring/enricher.js';
import { tableLines } from '../measuring/table-lines.js';
import { withService } from '../measuring/with-service.js';
import { lockInGraph } from './lock-in-graph.js';
import { CALL_KINDS, type CallFigures, type CallKind, createOtherCallers } from './other-callers.js';
import { type Address, type Provocation, PROVOCATIONS } from './provocations.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    memories: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
    // Multiplies the rates of the other callers.
    load: { type: 'string', default: '1' },
    // Only provocations whose name holds this text.
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});

const REST_MS = 5_000;
const seconds = Number(options.seconds);

if (options.url === undefined) await withService(({ url }) => measure({ url }, PROVOCATIONS));
else
  await measure(
    { url: options.url, ...(options.token === undefined ? {} : { token: options.token }) },
    process.env['NEO4J_URL'] === undefined
      ? PROVOCATIONS
      : new Map([['events that the graph cannot finish (A1, A2)', lockInGraph], ...PROVOCATIONS]),
  );

async function measure(address: Address, provocations: ReadonlyMap<string, Provocation>): Promise<void> {
  const target = createHttpCaller(address.url, address.token);
  const random = seededRandom(Number(options.seed));
  const size = Number(options.memories);
  await fill(target, random, { size, encoded: 0 });
  const others = await createOtherCallers(target, random, Number(options.load));
  await waitUntilEnriched(target);
  await others.call(REST_MS / 1_000);
  const quiet = await others.call(seconds);
  process.stdout.write(`\n${size} memories, quiet\n${lines(quiet, quiet)}\n`);
  for (const [name, provoke] of provocations) {
    if (!name.includes(options.only)) continue;
    const end = new AbortController();
    const provoking = provoke(address, end.signal);
    const provoked = await others.call(seconds);
    end.abort();
    const answers = [...(await provoking)].map(([status, count]) => `${status} x ${count}`);
    process.stdout.write(`\n${name}, answered ${answers.join(', ')}\n${lines(quiet, provoked)}\n`);
    await pause(REST_MS);
  }
}

type Figures = Readonly<Record<CallKind, CallFigures>>;

function lines(quiet: Figures, provoked: Figures): string {
  const rows = CALL_KINDS.map((kind) => {
    const { timing, failed, firstFailure } = provoked[kind];
    const ratio = timing.p95 / quiet[kind].timing.p95;
    return [
      kind,
      `${timing.count}`,
      timing.p50.toFixed(1),
      timing.p95.toFixed(1),
      ratio.toFixed(2),
      `${failed}`,
      firstFailure ?? '',
    ];
  });
  return tableLines([['calls', 'count', 'p50 ms', 'p95 ms', 'p95 to quiet', 'failed', 'first failure'], ...rows]).join(
    '\n',
  );
}
