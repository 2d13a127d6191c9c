/** Measures recall in its usual shapes, by-tag and get, each next to its floor. */
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion } from '../corpus/corpus.js';
import type { Target } from '../measuring/run-bench.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';
import type { Floors } from './floors.js';

type Read = { readonly count: number; readonly clients?: number; readonly floor?: string | undefined };

export async function measureReads({ call }: Target, random: Random, floors?: Floors): Promise<readonly Row[]> {
  const repeated = Array.from({ length: 20 }, () => encodeURIComponent(corpusQuestion(random)));
  let asked = 0;
  const fresh = (): string => encodeURIComponent(`${corpusQuestion(random)} ${(asked += 1)}`);
  const again = (index: number): string => repeated[index % repeated.length] ?? '';
  await timeCalls(40, 2, (index) => call('GET', `/recall?query=${again(index)}`));
  const listed = await call('GET', '/memory/by-tag?tags=sprint-3&limit=100');
  const ids = (listed.body.memories as { id: string }[]).map(({ id }) => id);

  const rows: Row[] = [];
  const read = async (what: string, { count, clients = 1, floor }: Read, pathOf: (index: number) => string) => {
    const timing = await timeCalls(count, clients, (index) => call('GET', pathOf(index)));
    rows.push(timingRow(`${what}, ${clients} clients`, timing, floor));
  };
  const encoder = floors && `encoder alone p50 ${floors.encodeMs.toFixed(1)} ms`;
  const scan = floors && `scan of the vectors alone p50 ${floors.scanMs.toFixed(2)} ms`;
  const recallNew = () => `/recall?query=${fresh()}`;
  const recallAgain = (index: number) => `/recall?query=${again(index)}`;
  await read('recall, new text', { count: 200, floor: encoder }, recallNew);
  await read('recall, new text', { count: 400, clients: 16, floor: encoder }, recallNew);
  await read('recall, repeated text', { count: 300, floor: scan }, recallAgain);
  await read('recall, repeated text', { count: 800, clients: 16, floor: scan }, recallAgain);
  await read('recall, last 30 days', { count: 300 }, (index) => `${recallAgain(index)}&time_query=last+30+days`);
  await read('recall, tag alone, updated_desc', { count: 300 }, () => {
    return '/recall?tags=person:alice&sort=updated_desc&limit=20';
  });
  await read('by-tag, 20', { count: 300 }, (index) => `/memory/by-tag?tags=sprint-${index % 26}`);
  await read('get', { count: 500 }, (index) => `/memory/${ids[index % ids.length] ?? ''}`);
  return rows;
}
