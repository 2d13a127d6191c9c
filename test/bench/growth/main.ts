/**
 * `npm run bench:growth`: measures one service at each of several numbers of memories, and draws the curves. Memories
 * come with random vectors, without associations; the enricher is paused. For a running service (`--url`), memory is
 * that of the programs that `npm run local` has started with the present LOCAL_DIR.
 */
import { writeFile } from 'node:fs/promises';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { importMemories, knownRecalls, unitVector } from '../corpus/fill.js';
import { diskUsed } from '../load/measure-process.js';
import { pauseEnricher, untilIndexed } from '../measuring/background.js';
import { localPrograms } from '../measuring/local-programs.js';
import { memoryOf } from '../measuring/processor-time.js';
import { runBench, type Target } from '../measuring/run-bench.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';
import { type Curve, drawCurves } from './draw-curves.js';

/** What is measured at one size. Times in ms, rates in calls a second, memory in MB. */
type Point = Readonly<Record<'recall' | 'recall95' | 'recalls' | 'store' | 'store95' | 'stores' | 'memory', number>>;

await runBench({
  defaults: { sizes: '1000,3000,10000', svg: '' },
  measure: async (target, { sizes, svg }, random) => {
    await pauseEnricher(target);
    const points: [size: number, point: Point][] = [];
    const rows: Row[] = [];
    let first = 0;
    for (const size of sizes.split(',').map(Number)) {
      await importMemories(target, random, { first, size });
      first = size;
      const { point, ...measured } = await measureAt(target, random, size);
      rows.push(...measured.rows);
      points.push([size, point]);
      if (svg !== '') await writeFile(svg, drawCurves(curvesOf(points)));
    }
    return rows;
  },
});

async function measureAt(target: Target, random: Random, size: number): Promise<{ rows: Row[]; point: Point }> {
  const rows: Row[] = [];
  if (target.child !== null)
    rows.push({ what: `${size}: start to healthy`, figure: `${((await target.restart()) / 1_000).toFixed(1)} s` });
  const recall = await knownRecalls(target, random);
  const store = (index: number) =>
    target.call('POST', '/memory', { ...corpusMemory(random, index, new Date()), embedding: unitVector(random) });
  const measure = async (what: string, [count, clients]: readonly [number, number], work: typeof recall) => {
    await untilIndexed(target);
    const timing = await timeCalls(count, clients, work);
    rows.push(timingRow(`${size}: ${what}, ${clients} clients`, timing));
    return timing;
  };
  const [oneRecall, recalls] = [await measure('recall', [200, 1], recall), await measure('recall', [480, 16], recall)];
  const [oneStore, stores] = [await measure('store', [200, 1], store), await measure('store', [800, 16], store)];
  const programs = target.child === null ? await localPrograms() : [{ name: 'service', pid: target.child.pid }];
  const memory = await Promise.all(programs.map(async ({ name, pid }) => [name, await memoryOf(pid)] as const));
  const space = memory.map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`);
  if (target.child !== null) space.push(`disk ${(await diskUsed(target.folder)).toFixed(0)} MB`);
  rows.push({ what: `${size}: memory and disk`, figure: space.join(', ') });
  process.stderr.write(`${rows.at(-1)?.what}: ${rows.at(-1)?.figure}\n`);
  return {
    rows,
    point: {
      ...{ recall: oneRecall.p50, recall95: oneRecall.p95, recalls: recalls.perSecond },
      ...{ store: oneStore.p50, store95: oneStore.p95, stores: stores.perSecond },
      memory: memory.reduce((sum, [, mb]) => sum + mb, 0),
    },
  };
}

function curvesOf(points: readonly (readonly [size: number, point: Point])[]): readonly Curve[] {
  const line = (label: string, field: keyof Point) => ({
    label,
    points: points.map(([size, point]) => [size, point[field]] as const),
  });
  return [
    { title: 'one recall at a time, ms', lines: [line('p50', 'recall'), line('p95', 'recall95')] },
    { title: 'one store at a time, ms', lines: [line('p50', 'store'), line('p95', 'store95')] },
    { title: '16 clients, calls a second', lines: [line('recalls', 'recalls'), line('stores', 'stores')] },
    { title: 'memory of all processes, MB', lines: [line('memory', 'memory')] },
  ];
}
