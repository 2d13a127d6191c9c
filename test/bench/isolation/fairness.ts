/**
 * `npm run bench:fairness`: ten polite callers, each with a token of its own, recall and store with a pause after each
 * answer; then again while one caller sends the costliest requests, sixteen at any time. Prints what each polite caller
 * keeps of its throughput. The aim: 80 %.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { fill } from '../corpus/fill.js';
import { untilEnriched } from '../measuring/background.js';
import { checkedCall, runBench } from '../measuring/run-bench.js';
import { type Row, summarize, type Timing, timingRow } from '../measuring/timing.js';
import { sendCostliest } from './provocations.js';

const POLITE = Array.from({ length: 10 }, (_, index) => `polite-${index}`);
const HOSTILE = 'hostile';
const tokenOf = (name: string): string => `token-of-${name}`;

await runBench({
  defaults: { memories: '5000', seconds: '20', pause: '200' },
  variables: { API_TOKENS: [...POLITE, HOSTILE].map((name) => `${name}:${tokenOf(name)}`).join(',') },
  measure: async ({ url }, options, random) => {
    const callers = POLITE.map((name) => createHttpCaller(url, tokenOf(name)));
    const [first = createHttpCaller(url)] = callers;
    const filled = { request: first.request, call: checkedCall(first) };
    await fill(filled, random, { size: Number(options.memories), encoded: 0 });
    await untilEnriched(filled);

    const measureAll = () =>
      Promise.all(
        callers.map((caller) =>
          callFor(Number(options.seconds) * 1_000, Number(options.pause), async (index) => {
            const call = checkedCall(caller);
            if (index % 2 === 0) await call('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`);
            else await call('POST', '/memory', corpusMemory(random, index, new Date()));
          }),
        ),
      );
    await measureAll();
    const quiet = await measureAll();
    const end = new AbortController();
    const sending = sendCostliest({ url, token: tokenOf(HOSTILE) }, end.signal);
    await pause(2_000);
    const delayed = await measureAll();
    end.abort();
    const answers = [...(await sending)].map(([status, count]) => `${status} x ${count}`);
    const kept = delayed.map(({ count }, index) => count / (quiet[index]?.count ?? 1));
    return [
      { what: 'the hostile caller', figure: `answered ${answers.join(', ')}` },
      ...rowsOf('quiet', quiet),
      ...rowsOf('with the hostile caller', delayed),
      {
        what: 'throughput that a polite caller keeps',
        figure: `least ${percent(Math.min(...kept))}, most ${percent(Math.max(...kept))}`,
      },
    ];
  },
});

/** Calls one after the other for so long, with a pause after each answer. */
async function callFor(durationMs: number, pauseMs: number, call: (index: number) => Promise<void>): Promise<Timing> {
  const durations: number[] = [];
  const startedAt = performance.now();
  for (let index = 0; performance.now() - startedAt < durationMs; index += 1) {
    const before = performance.now();
    await call(index);
    durations.push(performance.now() - before);
    await pause(pauseMs);
  }
  return summarize(durations, durationMs);
}

function rowsOf(when: string, timings: readonly Timing[]): Row[] {
  return timings.slice(0, 2).map((timing, index) => timingRow(`polite caller ${index}, ${when}`, timing));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
