/**
 * `npm run bench:tracing`: measures what metrics and tracing cost a recall and a store. One embedded service in this process answers all calls.
 * Blocks with the switch off and on alternate in one run, so other load on the machine affects both equally. The times include the client.
 */
import { parseArgs } from 'node:util';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startEmbedded } from '../../support/processes/service.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { createStoreWithVector } from '../corpus/store-with-vector.js';
import { tableLines } from '../measuring/table-lines.js';
import {
  type Blocks,
  compareSwitched,
  type Comparison,
  NUMBERS,
  type Position,
  type Ratio,
} from './compare-switched.js';
import { createSwitchedMetrics, createSwitchedTracing } from './switches.js';
import { timeMetric, timeSpanOff } from './time-one-call.js';

const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '2000' },
    // Calls in each position.
    calls: { type: 'string', default: '1600' },
    seed: { type: 'string', default: '1' },
  },
});

/** Before each comparison, so that the code is compiled. */
const WARM_UP_CALLS = 200;
/** Metrics may cost this share of the processor time of a call. */
const AIM = 0.02;

const random = seededRandom(Number(options.seed));
const spanNs = timeSpanOff();
const metricNs = timeMetric(createPrometheusMetrics({ service: 'bench', version: '0.0.0' }));
const folder = await createTempFolder();
const metrics = createSwitchedMetrics();
const tracing = createSwitchedTracing();
const SWITCHES: readonly {
  readonly what: string;
  readonly turn: (position: Position) => void;
  readonly blocks: Blocks;
}[] = [
  { what: 'metrics', turn: metrics.turn, blocks: blocksOf({ callsPerBlock: 1, warmUpCalls: 0 }) },
  // Node runs other code for promises while a store of the current span exists, so a block is longer and has a start that does not count.
  { what: 'tracing', turn: tracing.turn, blocks: blocksOf({ callsPerBlock: 10, warmUpCalls: 2 }) },
];
const service = await startEmbedded({ dataFolder: folder.path, metrics: metrics.metrics });
try {
  const caller = createHttpCaller(service.url);
  const store = createStoreWithVector(caller, random);
  let stored = 0;
  for (; stored < Number(options.memories); stored += 1) await store(stored);
  await service.settled();
  const questions = Array.from({ length: NUMBERS }, () => encodeURIComponent(corpusQuestion(random)));
  const calls: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    // The questions repeat, so their vectors are known.
    recall: async (index) => {
      const { status } = await caller.request('GET', `/recall?query=${questions[index % questions.length] ?? ''}`);
      if (status !== 200) throw new Error(`GET /recall answered ${status}`);
    },
    store: () => store(stored++),
  };
  const comparisons: Comparison[] = [];
  for (const { what, turn, blocks } of SWITCHES) {
    for (const [name, work] of Object.entries(calls)) {
      for (let index = 0; index < WARM_UP_CALLS; index += 1) await work(index);
      comparisons.push(await compareSwitched({ what: `${name}, ${what}`, blocks, turn, work, random }));
      await service.settled();
    }
  }
  print(comparisons);
  for (const [name, work] of Object.entries(calls)) await printShares(name, work, comparisons);
} finally {
  await tracing.close();
  await service.close();
  await folder.remove();
}

function blocksOf(block: Omit<Blocks, 'rounds'>): Blocks {
  return { ...block, rounds: Math.ceil(Number(options.calls) / block.callsPerBlock / 2) };
}

function print(comparisons: readonly Comparison[]): void {
  const cells = ({ off, on, ratio, from, to }: Ratio): readonly string[] => [
    off.toFixed(2),
    on.toFixed(2),
    ratio.toFixed(3),
    `${from.toFixed(3)} to ${to.toFixed(3)}`,
  ];
  const rows = comparisons.map(({ what, calls, time, processor }) => [
    what,
    `${calls}`,
    ...cells(time),
    ...cells(processor),
  ]);
  const head = ['p50, ms', 'calls each', 'off', 'on', 'ratio', '95 %', 'processor off', 'on', 'ratio', '95 %'];
  process.stdout.write(`${options.memories} memories, embedded\n${tableLines([head, ...rows]).join('\n')}\n`);
  for (const { what, processor } of comparisons.filter((one) => one.what.endsWith('metrics'))) {
    const verdict = processor.ratio <= 1 + AIM ? 'within' : 'MISSED, above';
    process.stdout.write(`${what}: ${verdict} ${AIM * 100} % of the processor time\n`);
  }
}

/** Counts the metrics and the spans of one call, and computes their share of its processor time: this figure has no noise of the machine. */
async function printShares(
  name: string,
  work: (index: number) => Promise<unknown>,
  comparisons: readonly Comparison[],
): Promise<void> {
  await service.settled();
  tracing.turn('on');
  tracing.takeNames();
  metrics.takeCalls();
  await work(0);
  await service.settled();
  const [spans, observed] = [tracing.takeNames().length, metrics.takeCalls()];
  tracing.turn('off');
  const ms = comparisons.find(({ what }) => what === `${name}, metrics`)?.processor.off ?? Number.NaN;
  const share = (count: number, ns: number): string => `${((count * ns) / ms / 10_000).toFixed(4)} %`;
  process.stdout.write(
    `${name}: ${observed} metrics, ${metricNs.toFixed(0)} ns each: ${share(observed, metricNs)} of its processor time; ` +
      `${spans} spans, ${spanNs.toFixed(0)} ns each while tracing is off: ${share(spans, spanNs)}\n`,
  );
}
