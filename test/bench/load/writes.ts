/**
 * Measures single stores, associations, and the time until a stored memory is found. Each starts when the service is
 * idle.
 */
import { until } from '../../support/checks/until.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { untilIndexed } from '../measuring/background.js';
import type { Target } from '../measuring/run-bench.js';
import { delayRow, type Row, timeCalls, timingRow } from '../measuring/timing.js';
import type { Floors } from './floors.js';

const FOUND_MEMORIES = 60;

export async function measureWrites(target: Target, random: Random, floors?: Floors): Promise<readonly Row[]> {
  const { call } = target;
  const floor = floors && `bare insert p50 ${floors.insertMs.toFixed(2)} ms, ${(1000 / floors.insertMs).toFixed(0)}/s`;
  const store = (index: number) => call('POST', '/memory', corpusMemory(random, 1_000_000 + index, new Date()));
  const measure = async (what: string, [count, clients]: readonly [number, number], work: typeof store) => {
    await untilIndexed(target);
    return timingRow(what, await timeCalls(count, clients, work), floor);
  };
  return [
    await measure('single store, 1 client', [300, 1], store),
    await measure('single store, 16 clients', [3_000, 16], store),
    await measure('associate, 1 client', [300, 1], await associating(target)),
  ];
}

/** The commit protocol alone: an association needs no vector. */
async function associating({ call }: Target): Promise<(index: number) => ReturnType<Target['call']>> {
  const listed = await Promise.all(
    [0, 1, 2].map((page) => call('GET', `/memory/by-tag?tags=person:alice&limit=120&offset=${page * 120}`)),
  );
  const ids = listed.flatMap(({ body }) => (body.memories as { id: string }[]).map(({ id }) => id));
  return (index) =>
    call('POST', '/associate', {
      memory1_id: ids[index % ids.length],
      memory2_id: ids[(index + 1 + Math.floor(index / ids.length)) % ids.length],
      type: 'RELATES_TO',
      strength: 0.6,
    });
}

/**
 * Stores one memory at a time on an idle service, and measures when recall finds it by its words and by its meaning.
 */
export async function measureTimeToFound({ call }: Target): Promise<readonly Row[]> {
  const byKeyword: number[] = [];
  const byMeaning: number[] = [];
  for (let index = 0; index < FOUND_MEMORIES; index += 1) {
    const word = `marker${index}x${Date.now().toString(36)}`;
    const memory = { content: `The ${word} was moved to the second shelf`, tags: ['bench'] };
    const { body } = await call('POST', '/memory', memory);
    const acknowledgedAt = performance.now();
    const isFound = async (how: string): Promise<boolean> => {
      const answer = await call('GET', `/recall?query=${word}+second+shelf&limit=20`);
      const found = answer.body.results.find(({ id }: { id: string }) => id === body.memory_id);
      return found !== undefined && found.score_components[how] > 0;
    };
    await until('found by keyword', () => isFound('keyword'));
    byKeyword.push(performance.now() - acknowledgedAt);
    await until('found by meaning', () => isFound('vector'));
    byMeaning.push(performance.now() - acknowledgedAt);
  }
  return [
    delayRow('store to found by keyword (one recall with a new text included)', byKeyword),
    delayRow('store to found by meaning', byMeaning),
  ];
}
