/** Measures the process of the embedded service: start-up time, memory, disk, and the delay of its event loop. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/checks/until.js';
import type { Random } from '../../support/fixtures/random.js';
import type { ChildService } from '../../support/processes/child-service.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { memoryOf } from '../measuring/processor-time.js';
import type { Target } from '../measuring/run-bench.js';
import { delayRow, type Row, timeCalls } from '../measuring/timing.js';

const STARTS = 5;

/** From the start of the process to the first `healthy`. */
export async function measureStartUp({ restart }: Target): Promise<Row> {
  const durations: number[] = [];
  for (let start = 0; start < STARTS; start += 1) durations.push(await restart());
  return delayRow('start to healthy', durations);
}

/**
 * Event loop delay of the service under 16 clients, four recalls to one store. The probe prints its histogram on
 * SIGUSR2.
 */
export async function measureLoopDelay({ call }: Target, child: ChildService, random: Random): Promise<Row[]> {
  child.signal('SIGUSR2');
  await until('the probe is reset', () => child.output().includes('loop delay'));
  await timeCalls(1_500, 16, (index) =>
    index % 5 === 0
      ? call('POST', '/memory', corpusMemory(random, 2_000_000 + index, new Date()))
      : call('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`),
  );
  const before = child.output().length;
  child.signal('SIGUSR2');
  const printed = () => /loop delay (.*)/u.exec(child.output().slice(before))?.[1];
  return [{ what: 'event loop delay, 16 clients', figure: await until('the probe prints its histogram', printed) }];
}

export async function measureFootprint({ pid }: ChildService, dataFolder: string): Promise<Row[]> {
  return [
    { what: 'memory, with the encoder', figure: `${(await memoryOf(pid)).toFixed(0)} MB` },
    { what: 'disk', figure: `${(await diskUsed(dataFolder)).toFixed(0)} MB` },
  ];
}

/** In MB. */
export async function diskUsed(dataFolder: string): Promise<number> {
  const files = await readdir(dataFolder);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(dataFolder, name))).size));
  return sizes.reduce((total, size) => total + size, 0) / 1_048_576;
}
