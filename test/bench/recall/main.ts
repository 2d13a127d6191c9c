/**
 * `npm run bench:recall`: measures how long recall takes in the shapes of real clients, over N memories and three times
 * as many associations. The enricher is paused: enriching so many memories takes longer than the whole measurement. A
 * running service (`--url`) needs `--admin-token` for the pause; `--memories 0` measures one that is filled.
 */
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion, PEOPLE } from '../corpus/corpus.js';
import { associateAll, fill } from '../corpus/fill.js';
import { pauseEnricher, resumeEnricher } from '../measuring/background.js';
import { runBench } from '../measuring/run-bench.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';

const CLIENTS = [1, 16] as const;
/** Different questions; all are asked once before the measurement, so the service has their vectors cached. */
const QUESTIONS = 40;

await runBench({
  defaults: { memories: '10000', associations: '3', encoded: '10000', calls: '500' },
  measure: async (target, { memories, associations, encoded, calls }, random) => {
    const isAdmin = target.adminToken !== undefined;
    if (isAdmin) await pauseEnricher(target);
    if (Number(memories) > 0) {
      await fill(target, random, { size: Number(memories), encoded: Number(encoded) });
      await associateAll(target, random, Number(associations));
      if (target.child) await target.restart();
    }
    const rows: Row[] = [];
    for (const [shape, queryOf] of Object.entries(shapesOf(random))) {
      const recall = (index: number) => target.call('GET', `/recall?${queryOf(index)}`);
      await timeCalls(QUESTIONS, 4, recall);
      for (const clients of CLIENTS)
        rows.push(timingRow(`${shape}, ${clients} clients`, await timeCalls(Number(calls), clients, recall)));
    }
    if (isAdmin) await resumeEnricher(target);
    return rows;
  },
});

function shapesOf(random: Random): Readonly<Record<string, (index: number) => string>> {
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  const question = (index: number): string => questions[index % QUESTIONS] ?? '';
  const person = (index: number): string => (PEOPLE[index % PEOPLE.length] ?? '').toLowerCase();
  const several = (index: number): string => [0, 1, 2].map((more) => `queries=${question(index + more)}`).join('&');
  let asked = 0;
  return {
    'tag alone, updated_desc, limit 20': (index) => `tags=person:${person(index)}&sort=updated_desc&limit=20`,
    'query, tag, last 90 days, limit 30': (index) =>
      `query=${question(index)}&tags=person:${person(index)}&time_query=last+90+days&limit=30`,
    'query, limit 5': (index) => `query=${question(index)}&limit=5`,
    'query never asked before, limit 5': () =>
      `query=${encodeURIComponent(`${corpusQuestion(random)} ${(asked += 1)}`)}&limit=5`,
    'three queries, limit 10': (index) => `${several(index)}&limit=10`,
    'query, expand_relations from 10': (index) => `query=${question(index)}&expand_relations=true&limit=10`,
  };
}
