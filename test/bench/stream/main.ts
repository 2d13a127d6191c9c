/**
 * `npm run bench:stream`: measures the delay between a store and its event on the live stream. Starts the embedded service as a child process,
 * or measures a running one (`--url`, `--token`). Stores happen at random times, so that they fall anywhere between two polls of the journal.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { until } from '../../support/checks/until.js';
import { type Frame, watch, type WatchOptions } from '../../support/clients/event-stream.js';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { printTable, type Row, summarize } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    stores: { type: 'string', default: '200' },
    watchers: { type: 'string', default: '1,50' },
    seed: { type: 'string', default: '1' },
  },
});

const PAUSE_LIMIT_MS = 100;

if (options.url !== undefined) await measure(options.url, createHttpCaller(options.url, options.token));
else await withService((service) => measure(service.url, service));

async function measure(url: string, caller: HttpCaller): Promise<void> {
  const rows: Row[] = [];
  for (const count of options.watchers.split(',').map(Number)) rows.push(...(await measureWith(count, url, caller)));
  printTable(`${options.stores} stores`, rows);
}

/** The first figure is valid only if the service runs on this machine: it compares the service's clock with the benchmark's. */
async function measureWith(count: number, url: string, { request }: HttpCaller): Promise<readonly Row[]> {
  const random = seededRandom(Number(options.seed));
  const access: WatchOptions =
    options.token === undefined ? {} : { headers: { authorization: `Bearer ${options.token}` } };
  const watchers = await Promise.all(
    Array.from({ length: count }, () => watch(url, { ...access, query: '?only=events' })),
  );
  const answeredAt = new Map<string, number>();
  for (let number = 0; number < Number(options.stores); number += 1) {
    await pause(random.below(PAUSE_LIMIT_MS));
    const { body } = await request('POST', '/memory', {
      body: { content: `Memory ${number} for the watchers`, tags: ['bench:stream'] },
    });
    answeredAt.set(body.memory_id as string, performance.now());
  }
  const stored = ({ frames }: { readonly frames: readonly Frame[] }): readonly Frame[] =>
    frames.filter(({ type, data }) => type === 'memory.stored' && answeredAt.has(data.subject as string));
  await until('every watcher has received every store', () =>
    watchers.every((watcher) => stored(watcher).length === answeredAt.size),
  );
  await Promise.all(watchers.map((watcher) => watcher.close()));
  const seen = watchers.flatMap(stored);
  return [
    delayRow(
      `decision to frame, with the commit, ${count} watching`,
      seen.map(({ receivedAt, data }) => performance.timeOrigin + receivedAt - Date.parse(data.time as string)),
    ),
    delayRow(
      `answer of the store to frame, ${count} watching`,
      seen.map(({ receivedAt, data }) => receivedAt - (answeredAt.get(data.subject as string) ?? Number.NaN)),
    ),
  ];
}

function delayRow(what: string, delays: readonly number[]): Row {
  const { p50, p95, p99 } = summarize(delays, 1);
  return { what, figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms` };
}
