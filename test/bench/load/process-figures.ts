/** Measures the process itself: start-up time, memory, disk, and the delay of its event loop. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/checks/until.js';
import type { Random } from '../../support/fixtures/random.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { type Row, timeCalls } from '../measuring/timing.js';

/** From the start of the process to the first `healthy`; the median of five. */
export async function measureStartUp(dataFolder: string): Promise<Row> {
  const durations: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const startedAt = performance.now();
    const service = await startChildService({ dataFolder });
    await until('healthy', async () => (await service.request('GET', '/health')).body.status === 'healthy');
    durations.push(performance.now() - startedAt);
    await service.stop('SIGTERM');
  }
  durations.sort((a, b) => a - b);
  return { what: 'start to healthy, median of 5', figure: `${(durations[2] ?? Number.NaN).toFixed(0)} ms` };
}

/** Event loop delay of the service under 16 clients, four recalls to one store. The probe prints its histogram on SIGUSR2. */
export async function measureLoopDelay(service: ChildService, random: Random): Promise<Row[]> {
  service.signal('SIGUSR2');
  await until('the probe is reset', () => service.output().includes('loop delay'));
  await timeCalls(1_500, 16, (index) =>
    index % 5 === 0
      ? service.request('POST', '/memory', { body: corpusMemory(random, 2_000_000 + index, new Date()) })
      : service.request('GET', `/recall?query=${encodeURIComponent(corpusQuestion(random))}`),
  );
  const before = service.output().length;
  service.signal('SIGUSR2');
  const line = await until(
    'the probe prints its histogram',
    () => /loop delay (.*)/u.exec(service.output().slice(before))?.[1],
  );
  return [{ what: 'event loop delay under 16 clients', figure: line }];
}

export async function measureFootprint(service: ChildService, dataFolder: string): Promise<Row[]> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
  const resident = /VmRSS:\s+(\d+) kB/u.exec(status)?.[1];
  const sizes = await Promise.all(
    (await readdir(dataFolder)).map(async (name) => (await stat(join(dataFolder, name))).size),
  );
  const disk = sizes.reduce((total, size) => total + size, 0);
  return [
    {
      what: 'resident memory',
      figure: resident === undefined ? 'not known on this system' : `${(Number(resident) / 1024).toFixed(0)} MB`,
    },
    { what: 'disk', figure: `${(disk / 1_048_576).toFixed(0)} MB` },
  ];
}
