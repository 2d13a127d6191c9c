/**
 * `npm run bench:tracing`: measures what metrics and tracing cost a recall and a store. One embedded service in this
 * process answers all calls. Blocks with the switch off and on alternate in one run, so other load on the machine
 * affects both equally. The times include the client.
 */
import { parseArgs } from 'node:util';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startEmbedded } from '../../support/processes/service.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { createStoreWithVector } from '../corpus/fill.js';
import { checkedCall } from '../measuring/run-bench.js';
import { tableLines } from '../measuring/timing.js';
import { compareSwitched, type Comparison } from './compare-switched.js';
import { createSwitchedMetrics, createSwitchedTracing, metricNs, spanOffNs } from './switches.js';

const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '2000' },
    /** Calls in each position. */
    calls: { type: 'string', default: '1600' },
  },
});

/** Before each comparison, so that the code is compiled. */
const WARM_UP_CALLS = 200;
const QUESTIONS = 40;
const random = seededRandom(1);
console.log(`a metric takes ${metricNs().toFixed(0)} ns, a span while tracing is off ${spanOffNs().toFixed(0)} ns`);
const folder = await createTempFolder();
const metrics = createSwitchedMetrics();
const tracing = createSwitchedTracing();
const SWITCHES = [
  { name: 'metrics', turn: metrics.turn, callsPerBlock: 1, warmUpCalls: 0 },
  // Node runs other code for promises while a store of the current span exists, so a block is longer and has a start
  // that does not count.
  { name: 'tracing', turn: tracing.turn, callsPerBlock: 10, warmUpCalls: 2 },
];
const service = await startEmbedded({ dataFolder: folder.path, metrics: metrics.metrics });
try {
  const call = checkedCall(createHttpCaller(service.url));
  const store = createStoreWithVector({ call }, random);
  let stored = 0;
  for (; stored < Number(options.memories); stored += 1) await store(stored);
  await service.settled();
  // The questions repeat, so their vectors are known.
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  const recall = (index: number) => call('GET', `/recall?query=${questions[index % QUESTIONS] ?? ''}`);
  for (const [name, work] of [
    ['recall', recall],
    ['store', () => store(stored++)],
  ] as const) {
    const compared: Comparison[] = [];
    for (const { name: switched, ...blocks } of SWITCHES) {
      for (let index = 0; index < WARM_UP_CALLS; index += 1) await work(index);
      const what = `${name}, ${switched}`;
      compared.push(await compareSwitched({ what, ...blocks, calls: Number(options.calls), work }, random));
      await service.settled();
    }
    console.log(linesOf(compared).join('\n'));
    await printCounts(name, work);
  }
} finally {
  await tracing.close();
  await service.close();
  await folder.remove();
}

function linesOf(compared: readonly Comparison[]): readonly string[] {
  const cells = ({ off, on }: Comparison['time']) => [off.toFixed(2), on.toFixed(2), (on / off).toFixed(3)];
  const rows = compared.map(({ what, time, processor }) => [what, ...cells(time), ...cells(processor)]);
  return tableLines([['p50, ms', 'off', 'on', 'ratio', 'processor off', 'on', 'ratio'], ...rows]);
}

/** The number of metrics and spans has no noise of the machine. */
async function printCounts(name: string, work: (index: number) => Promise<unknown>): Promise<void> {
  tracing.turn('on');
  tracing.takeCount();
  metrics.takeCount();
  await work(0);
  await service.settled();
  tracing.turn('off');
  console.log(`${name}: ${metrics.takeCount()} metrics, ${tracing.takeCount()} spans`);
}
