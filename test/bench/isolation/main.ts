/**
 * `npm run bench:isolation`: measures what other callers notice while one caller provokes the most costly or failing
 * paths for a minute each. With a running service (`--url`) and NEO4J_URL in the environment it also makes Neo4j unable
 * to finish committed events. `--load` multiplies the rates of the other callers; `--only` chooses provocations by a
 * part of their name. The aim: p95 within 3 times of the quiet one, and no failed request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fill } from '../corpus/fill.js';
import { untilEnriched } from '../measuring/background.js';
import { runBench } from '../measuring/run-bench.js';
import { type Row, timingRow } from '../measuring/timing.js';
import { lockInGraph } from './lock-in-graph.js';
import { type CallFigures, createOtherCallers } from './other-callers.js';
import { PROVOCATIONS } from './provocations.js';

const PAUSE_MS = 5_000;

await runBench({
  defaults: { memories: '5000', seconds: '60', load: '1', only: '' },
  measure: async (target, options, random) => {
    const seconds = Number(options.seconds);
    await fill(target, random, { size: Number(options.memories), encoded: 0 });
    const others = await createOtherCallers(target, random, Number(options.load));
    await untilEnriched(target);
    await others.call(PAUSE_MS / 1_000);
    const rows = rowsOf('quiet', await others.call(seconds));
    const provocations = Object.entries(PROVOCATIONS);
    if (target.child === null && process.env['NEO4J_URL'])
      provocations.unshift(['events that the graph cannot finish (A1, A2)', lockInGraph]);
    for (const [name, provoke] of provocations.filter(([one]) => one.includes(options.only))) {
      const end = new AbortController();
      const provoking = provoke(target, end.signal);
      const figures = await others.call(seconds);
      end.abort();
      const answers = [...(await provoking)].map(([status, count]) => `${status} x ${count}`);
      rows.push({ what: name, figure: `answered ${answers.join(', ')}` }, ...rowsOf(name, figures));
      await pause(PAUSE_MS);
    }
    return rows;
  },
});

function rowsOf(when: string, figures: Readonly<Record<string, CallFigures>>): Row[] {
  return Object.entries(figures).map(([kind, { timing, failures }]) =>
    timingRow(`${kind}, ${when}`, timing, `${failures.length} failed ${failures[0] ?? ''}`),
  );
}
