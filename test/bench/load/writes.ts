/** Measures single stores, associations, and the time until a stored memory is found. */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { type Row, summarize, timeCalls, timingRow } from '../measuring/timing.js';
import type { Floors } from './floors.js';

const CREATED = 201;

export async function measureWrites(target: HttpCaller, random: Random, floors?: Floors): Promise<Row[]> {
  const insert = floors && `bare insert p50 ${floors.insertMs.toFixed(2)} ms, ${(1000 / floors.insertMs).toFixed(0)}/s`;
  return [
    ...(await measureStores(target, random, { clients: 1, count: 300, floor: insert })),
    ...(await measureStores(target, random, { clients: 16, count: 3_000, floor: insert })),
    ...(await measureAssociations(target, insert)),
  ];
}

/** Single stores, started when the service is idle. */
export async function measureStores(
  target: HttpCaller,
  random: Random,
  {
    clients,
    count,
    floor,
  }: {
    readonly clients: number;
    readonly count: number;
    readonly floor?: string | undefined;
  },
): Promise<Row[]> {
  await waitUntilIdle(target);
  const store = async (index: number): Promise<void> => {
    const { status, body } = await target.request('POST', '/memory', {
      body: corpusMemory(random, 1_000_000 + index, new Date()),
    });
    if (status !== CREATED) throw new Error(`POST /memory answered ${status}: ${JSON.stringify(body)}`);
  };
  return [
    timingRow(
      `single store, ${clients} client${clients === 1 ? '' : 's'}`,
      await timeCalls(count, clients, store),
      floor,
    ),
  ];
}

/** The commit protocol alone: an association needs no vector, and the service is idle. */
export async function measureAssociations(target: HttpCaller, floor?: string): Promise<Row[]> {
  await waitUntilIdle(target);
  const listed = await Promise.all(
    [0, 1, 2].map((page) => target.request('GET', `/memory/by-tag?tags=person:alice&limit=120&offset=${page * 120}`)),
  );
  const ids = listed.flatMap(({ body }) => (body.memories as { id: string }[]).map(({ id }) => id));
  const associate = async (index: number): Promise<void> => {
    const body = {
      memory1_id: ids[index % ids.length],
      memory2_id: ids[(index + 1 + Math.floor(index / ids.length)) % ids.length],
      type: 'RELATES_TO',
      strength: 0.6,
    };
    const { status } = await target.request('POST', '/associate', { body });
    if (status !== CREATED) throw new Error(`POST /associate answered ${status}`);
  };
  return [timingRow('associate, 1 client', await timeCalls(300, 1, associate), floor)];
}

/** Stores one memory at a time on an idle service, and measures when recall finds it by its words and by its meaning. */
export async function measureTimeToFound(target: HttpCaller): Promise<Row[]> {
  const byKeyword: number[] = [];
  const byMeaning: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const word = `marker${index}x${Date.now().toString(36)}`;
    const { body } = await target.request('POST', '/memory', {
      body: { content: `The ${word} was moved to the second shelf`, tags: ['bench'] },
    });
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

async function waitUntilIdle(target: HttpCaller): Promise<void> {
  await until(
    'nothing is in flight',
    async () => (await target.request('GET', '/health')).body.in_flight === 0,
    600_000,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
