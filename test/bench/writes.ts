/** Single stores, associations, and the time from store to found. */
import type { HttpCaller } from '../support/http-caller.js';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { corpusMemory } from './corpus.js';
import type { Floors } from './floors.js';
import { summarize, timeCalls, timingRow, type Row } from './measure.js';

const CREATED = 201;

export async function measureWrites(target: HttpCaller, random: Random, floors?: Floors): Promise<Row[]> {
  const ids: string[] = [];
  const store = async (index: number): Promise<void> => {
    const { status, body } = await target.request('POST', '/memory', { body: corpusMemory(random, 1_000_000 + index, new Date()) });
    if (status !== CREATED) throw new Error(`A store was answered ${status}: ${JSON.stringify(body)}`);
    ids.push(body.memory_id);
  };
  const associate = async (index: number): Promise<void> => {
    const body = { memory1_id: ids[index], memory2_id: ids[index + 1], type: 'RELATES_TO', strength: 0.6 };
    const { status } = await target.request('POST', '/associate', { body });
    if (status !== CREATED) throw new Error(`An association was answered ${status}`);
  };
  const insert = floors && `bare insert p50 ${floors.insertMs.toFixed(2)} ms, ${(1000 / floors.insertMs).toFixed(0)}/s`;
  const one = timingRow('single store, 1 client', await timeCalls(300, 1, store), insert);
  const sixteen = timingRow('single store, 16 clients', await timeCalls(3_000, 16, store), insert);
  const associations = timingRow('associate, 1 client', await timeCalls(300, 1, associate), insert);
  await settled(target);
  return [one, sixteen, associations];
}

/** One store at a time on an idle service: when is it found by its words, when by its meaning? */
export async function measureTimeToFound(target: HttpCaller): Promise<Row[]> {
  const byKeyword: number[] = [];
  const byMeaning: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const word = `marker${index}x${Date.now().toString(36)}`;
    const { body } = await target.request('POST', '/memory', { body: { content: `The ${word} was moved to the second shelf`, tags: ['bench'] } });
    const acknowledgedAt = performance.now();
    const isFound = async (how: string): Promise<boolean> => {
      const answer = await target.request('GET', `/recall?query=${word}+second+shelf&limit=20`);
      const found = answer.body.results.find(({ id }: { id: string }) => id === body.memory_id);
      return found !== undefined && found.score_components[how] > 0;
    };
    await until('found by keyword', () => isFound('keyword'));
    byKeyword.push(performance.now() - acknowledgedAt);
    await until('found by meaning', () => isFound('vector'));
    byMeaning.push(performance.now() - acknowledgedAt);
  }
  return [
    timingRow('store to found by keyword (one recall with a new text included)', summarize(byKeyword, sum(byKeyword))),
    timingRow('store to found by meaning', summarize(byMeaning, sum(byMeaning))),
  ];
}

async function settled(target: HttpCaller): Promise<void> {
  await until('nothing is in flight', async () => (await target.request('GET', '/health')).body.in_flight === 0, 600_000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
