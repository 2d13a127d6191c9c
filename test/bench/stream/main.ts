/**
 * `npm run bench:stream`: measures the delay between a store and its event on the live stream. Stores happen at random
 * times, so that they fall anywhere between two polls of the journal. The delay from the decision is only valid if the
 * service runs on this machine: it compares the service's clock with the benchmark's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/checks/until.js';
import { type Frame, watch } from '../../support/clients/event-stream.js';
import { runBench } from '../measuring/run-bench.js';
import { delayRow, type Row } from '../measuring/timing.js';

const PAUSE_LIMIT_MS = 100;

await runBench({
  defaults: { stores: '200', watchers: '1,50' },
  measure: async ({ url, token, call }, { stores, watchers: counts }, random) => {
    const access = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
    const rows: Row[] = [];
    for (const count of counts.split(',').map(Number)) {
      const watchers = await Promise.all(
        Array.from({ length: count }, () => watch(url, { ...access, query: '?only=events' })),
      );
      const answeredAt = new Map<string, number>();
      for (let number = 0; number < Number(stores); number += 1) {
        await pause(random.below(PAUSE_LIMIT_MS));
        const memory = { content: `Memory ${number} for the watchers`, tags: ['bench:stream'] };
        const { body } = await call('POST', '/memory', memory);
        answeredAt.set(body.memory_id as string, performance.now());
      }
      const stored = ({ frames }: { readonly frames: readonly Frame[] }): readonly Frame[] =>
        frames.filter(({ type, data }) => type === 'memory.stored' && answeredAt.has(data.subject as string));
      await until('every watcher has received every store', () =>
        watchers.every((watcher) => stored(watcher).length === answeredAt.size),
      );
      await Promise.all(watchers.map((watcher) => watcher.close()));
      const seen = watchers.flatMap(stored);
      const fromDecision = ({ receivedAt, data }: Frame) =>
        performance.timeOrigin + receivedAt - Date.parse(data.time as string);
      const fromAnswer = ({ receivedAt, data }: Frame) =>
        receivedAt - (answeredAt.get(data.subject as string) ?? Number.NaN);
      rows.push(delayRow(`decision to frame, with the commit, ${count} watching`, seen.map(fromDecision)));
      rows.push(delayRow(`answer of the store to frame, ${count} watching`, seen.map(fromAnswer)));
    }
    return rows;
  },
});
