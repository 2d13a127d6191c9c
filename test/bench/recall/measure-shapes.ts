/** Measures recall in the shapes of real clients: percentiles, and the share of each stage. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion, PEOPLE } from '../corpus/corpus.js';
import { timeCalls, type Timing } from '../measuring/timing.js';
import { parseServerTiming, type Shares, sharesOf, shareText } from './server-timing.js';

export type ShapeFigures = {
  readonly shape: string;
  readonly clients: number;
  readonly timing: Timing;
  readonly shares: Shares;
};

const CLIENTS = [1, 16] as const;
/** Different questions; all are asked once before the measurement, so the service has their vectors cached. */
const QUESTIONS = 40;

type Shape = { readonly named: string; readonly path: (index: number) => string };

/** Runs each shape `calls` times for each number of clients, after a warm-up round. */
export async function measureShapes(
  target: HttpCaller,
  random: Random,
  calls: number,
): Promise<readonly ShapeFigures[]> {
  const figures: ShapeFigures[] = [];
  for (const { named, path } of shapesOf(random)) {
    await timeCalls(QUESTIONS, 4, (index) => recall(target, path(index)));
    for (const clients of CLIENTS) {
      const spent: ReadonlyMap<string, number>[] = [];
      const timing = await timeCalls(
        calls,
        clients,
        async (index) => void spent.push(await recall(target, path(index))),
      );
      const figure: ShapeFigures = { shape: named, clients, timing, shares: sharesOf(spent) };
      process.stderr.write(`${lineOf(figure)}\n`);
      figures.push(figure);
    }
  }
  return figures;
}

export function printShapes(title: string, figures: readonly ShapeFigures[]): void {
  const head =
    '| shape | clients | p50 ms | p95 ms | p99 ms | per s | share of each stage |\n|---|---|---|---|---|---|---|';
  process.stdout.write(`\n${title}\n\n${head}\n${figures.map(lineOf).join('\n')}\n`);
}

function lineOf({ shape, clients, timing, shares }: ShapeFigures): string {
  const [p50, p95, p99] = [timing.p50, timing.p95, timing.p99].map((value) => value.toFixed(1));
  return `| ${shape} | ${clients} | ${p50} | ${p95} | ${p99} | ${timing.perSecond.toFixed(0)} | ${shareText(shares)} |`;
}

function shapesOf(random: Random): readonly Shape[] {
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  const question = (index: number): string => questions[index % QUESTIONS] ?? '';
  const person = (index: number): string => (PEOPLE[index % PEOPLE.length] ?? '').toLowerCase();
  let asked = 0;
  return [
    {
      named: 'tag alone, updated_desc, limit 20',
      path: (index) => `tags=person:${person(index)}&sort=updated_desc&limit=20`,
    },
    {
      named: 'query, tag, last 90 days, limit 30',
      path: (index) => `query=${question(index)}&tags=person:${person(index)}&time_query=last+90+days&limit=30`,
    },
    { named: 'query, limit 5', path: (index) => `query=${question(index)}&limit=5` },
    {
      named: 'query never asked before, limit 5',
      path: () => `query=${encodeURIComponent(`${corpusQuestion(random)} ${(asked += 1)}`)}&limit=5`,
    },
    {
      named: 'three queries, limit 10',
      path: (index) =>
        [0, 1, 2]
          .map((more) => `queries=${question(index + more)}`)
          .join('&')
          .concat('&limit=10'),
    },
    {
      named: 'query, expand_relations from 10',
      path: (index) => `query=${question(index)}&expand_relations=true&limit=10`,
    },
  ];
}

/** Returns the time of each stage that the service reports. */
async function recall(target: HttpCaller, query: string): Promise<ReadonlyMap<string, number>> {
  const { status, body, headers } = await target.request('GET', `/recall?${query}`);
  if (status !== 200) throw new Error(`GET /recall?${query} answered ${status}: ${JSON.stringify(body)}`);
  return parseServerTiming(headers.get('server-timing') ?? '');
}
