/** Measures recall in its usual shapes, by-tag and get, each next to its floor. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';
import type { Floors } from './floors.js';

export async function measureReads(target: HttpCaller, random: Random, floors?: Floors): Promise<Row[]> {
  const questions = new Set<string>();
  while (questions.size < 900) questions.add(`${corpusQuestion(random)} ${questions.size}`);
  const unused = [...questions];
  const fresh = (): string => encodeURIComponent(unused.pop() ?? corpusQuestion(random));
  const repeated = Array.from({ length: 20 }, () => encodeURIComponent(corpusQuestion(random)));
  const get = async (path: string): Promise<void> => {
    const { status, body } = await target.request('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
  };
  const again = (index: number): string => repeated[index % repeated.length] ?? '';
  await timeCalls(40, 2, (index) => get(`/recall?query=${again(index)}`));

  const listed = await target.request('GET', '/memory/by-tag?tags=sprint-3&limit=100');
  const ids = (listed.body.memories as { id: string }[]).map(({ id }) => id);
  const encode = floors && `encoder alone p50 ${floors.encodeMs.toFixed(1)} ms`;
  const scan = floors && `scan of the vectors alone p50 ${floors.scanMs.toFixed(2)} ms`;
  return [
    timingRow('recall, new text, 1 client', await timeCalls(200, 1, () => get(`/recall?query=${fresh()}`)), encode),
    timingRow('recall, new text, 16 clients', await timeCalls(400, 16, () => get(`/recall?query=${fresh()}`)), encode),
    timingRow(
      'recall, repeated text, 1 client',
      await timeCalls(300, 1, (index) => get(`/recall?query=${again(index)}`)),
      scan,
    ),
    timingRow(
      'recall, repeated text, 16 clients',
      await timeCalls(800, 16, (index) => get(`/recall?query=${again(index)}`)),
      scan,
    ),
    timingRow(
      'recall, repeated text, tag',
      await timeCalls(300, 1, (index) => get(`/recall?query=${again(index)}&tags=project:project-3`)),
    ),
    timingRow(
      'recall, repeated text, last 30 days',
      await timeCalls(300, 1, (index) => get(`/recall?query=${again(index)}&time_query=last+30+days`)),
    ),
    timingRow(
      'recall, tag alone, updated_desc, limit 20',
      await timeCalls(300, 1, () => get('/recall?tags=person:alice&sort=updated_desc&limit=20')),
    ),
    timingRow('by-tag, 20', await timeCalls(300, 1, (index) => get(`/memory/by-tag?tags=sprint-${index % 26}`))),
    timingRow('get', await timeCalls(500, 1, (index) => get(`/memory/${ids[index % ids.length] ?? ''}`))),
  ];
}
