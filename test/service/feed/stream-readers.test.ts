/**
 * The live stream with difficult readers: killed and resumed, slow, too many, or connected while the service stops or
 * its journal fails.
 */
import { expect } from 'chai';
import type { Engines } from '../../../deploy/embedded/engines.js';
import { until } from '../../support/checks/until.js';
import { openStream, readFrames, watch, type Watcher, type WatchOptions } from '../../support/clients/event-stream.js';
import { createBreaker } from '../../support/faults/breaker.js';
import { withStream } from '../../support/fixtures/query-config.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { type Service, type ServiceOptions, startService } from '../../support/processes/service.js';

const STORES = 200;

describe('live stream readers', () => {
  let service: Service;
  const open: Watcher[] = [];
  const start = async (options: ServiceOptions): Promise<void> => {
    service = await startService(options);
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((watcher) => watcher.close()));
    await service.close();
  });

  async function watching(options?: WatchOptions): Promise<Watcher> {
    const watcher = await watch(service.url, options);
    open.push(watcher);
    return watcher;
  }
  async function store(content: string): Promise<void> {
    expect((await service.request('POST', '/memory', { body: { content } })).status).to.equal(201);
  }
  async function storeLarge(count: number): Promise<void> {
    const memories = Array.from({ length: count }, (_, index) => ({
      content: `Large ${index}`,
      metadata: { filling: 'x'.repeat(60_000) },
    }));
    expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
  }
  const journalled = async (): Promise<readonly number[]> =>
    (await service.engines.journal.read({ after: 0, limit: 10_000 })).map(({ position }) => position);

  it('receive every position in order although they are killed', async () => {
    await start({});
    const random = seededRandom(9);
    const seen: number[] = [];
    let isStoring = true;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let index = client; index < STORES; index += 8) await store(`Memory number ${index}`);
    });
    const storing = Promise.all(clients).finally(() => {
      isStoring = false;
    });
    let kills = 0;
    const hasAll = async (last: number): Promise<boolean> => !isStoring && last === (await journalled()).at(-1);
    for (let last = 0; !(await hasAll(last)); kills += 1) {
      const reader = await watch(service.url, { query: '?only=events', lastEventId: last });
      const enough = 1 + random.below(24);
      // A reader may begin after the last event, whose answer is still on its way.
      await until(
        'it has seen some',
        async () =>
          reader.events().length >= enough || (!isStoring && reader.events().length > 0) || (await hasAll(last)),
      );
      await reader.close();
      const ids = reader.events().map(({ id }) => id ?? 0);
      expect(ids).to.deep.equal([...new Set(ids)].sort((a, b) => a - b));
      expect(ids[0] ?? Infinity).to.be.above(last);
      seen.push(...ids);
      last = ids.at(-1) ?? last;
    }
    await storing;
    expect(kills).to.be.above(5);
    expect(seen).to.deep.equal((await journalled()).slice(0, seen.length));
    expect(seen.length).to.be.at.least(STORES);
  });

  it('receive every event and the number of dropped frames if slow', async () => {
    await start({ query: withStream({ queueFrames: 10 }) });
    const slow = await openStream(service.url, { query: '?after=0' });
    const quick = await watching({ query: '?only=activity' });
    await storeLarge(150);
    const notify = (number: number): void =>
      service.engines.stream.notify({
        kind: 'watched',
        type: 'test.activity',
        data: { number },
        at: '2024-01-01T00:00:00+00:00',
      });
    let sent = 0;
    await until('a fast reader has received much activity', () => {
      for (let count = 0; count < 20; count += 1) notify((sent += 1));
      return quick.activity('test.activity').length > 200;
    });
    const { frames } = readFrames(slow);
    await until(
      'the slow reader has caught up',
      () =>
        frames.some(({ type }) => type === 'stream.dropped') && frames.filter(({ id }) => id !== null).length >= 150,
    );
    const ids = frames.flatMap(({ id }) => (id === null ? [] : [id]));
    expect(ids.slice(0, 150)).to.deep.equal((await journalled()).slice(0, 150));
    const received = (): number => frames.filter(({ type }) => type === 'test.activity').length;
    const notices = (): typeof frames => frames.filter(({ type }) => type === 'stream.dropped');
    const counted = (): number => notices().reduce((sum, { data }) => sum + data.count, 0);
    await until('each frame is received or counted as dropped', () => received() + counted() >= sent);
    expect(received(), 'of the frames').to.be.below(sent);
    expect(
      notices().every(({ id }) => id === null),
      'notices are not events',
    ).to.equal(true);
    slow.destroy();
  });

  it('are cut with a message when they read nothing', async () => {
    await start({ query: withStream({ stallMs: 200 }) });
    const slow = await openStream(service.url, { query: '?after=0' });
    await storeLarge(150);
    await until(
      'the server has dropped the client',
      async () => (await service.request('GET', '/stream/status')).body.subscribers === 0,
    );
    const { frames } = readFrames(slow);
    await until('the connection is closed', () => slow.closed);
    expect(frames.length, 'frames that were in flight').to.be.within(1, 299);
  });

  it('are rejected with a retry time when there are too many', async () => {
    await start({ variables: { STREAM_CLIENTS: '2' } });
    const [first] = [await watching(), await watching()];
    const { status, headers, body } = await service.request('GET', '/stream');
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '10']);
    expect(body.message).to.include('2 clients');
    await first?.close();
    const third = await until('a new client is accepted', () => watching().catch(() => null));
    expect(third.comments).to.deep.equal(['connected']);
  });

  it('wait while the journal cannot be read, and miss no event', async () => {
    const journal = createBreaker('journal');
    await start({ alter: (engines: Engines) => ({ ...engines, journal: journal.guard(engines.journal) }) });
    const watcher = await watching({ query: '?only=events' });
    await store('Before');
    await until('the event is shown', () => watcher.events().length > 0);
    journal.break();
    const refused = await service.request('GET', '/stream');
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1']);
    await store('Meanwhile');
    journal.mend();
    await until('the later event is shown', () =>
      watcher.events().some(({ data }) => data.data.memory.content === 'Meanwhile'),
    );
    expect(watcher.events().map(({ id }) => id)).to.deep.equal((await journalled()).slice(0, watcher.events().length));
    expect(watcher.isClosed()).to.equal(false);
  });
});

describe('stopping service', () => {
  it('informs its watchers and does not wait for them', async () => {
    const service = await startService();
    const watcher = await watch(service.url);
    const before = performance.now();
    const closing = service.close();
    await until('the stream is closed', () => watcher.isClosed());
    const tookMs = performance.now() - before;
    await closing.finally(() => watcher.close());
    expect(watcher.comments.at(-1)).to.match(/^the server stops/u);
    expect(tookMs, 'the deadline of the connections is two seconds').to.be.below(1_900);
  });
});
