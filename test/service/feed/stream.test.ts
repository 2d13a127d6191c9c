/**
 * GET /stream and GET /stream/status: the frames that a watcher receives, and where a stream continues after a break.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ofAnotherHistory } from '../../support/checks/position-in.js';
import { until } from '../../support/checks/until.js';
import { type Frame, watch, type Watcher, type WatchOptions } from '../../support/clients/event-stream.js';
import { withStream } from '../../support/fixtures/query-config.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /stream', () => {
  let service: Service;
  let watchers: Watcher[];
  before(async () => {
    service = await startService({ query: withStream({ keepAliveMs: 150 }) });
  });
  after(() => service.close());
  beforeEach(() => {
    watchers = [];
  });
  afterEach(() => Promise.all(watchers.map((watcher) => watcher.close())));

  async function open(options: WatchOptions = {}): Promise<Watcher> {
    const watcher = await watch(service.url, options);
    watchers.push(watcher);
    return watcher;
  }
  async function store(content: string, body: object = {}): Promise<string> {
    return (await service.request('POST', '/memory', { body: { content, ...body } })).body.memory_id as string;
  }
  /**
   * Repeats the recall, because activity may be lost until the service has joined the stream. Tests on real servers
   * share the stream, so `isOwn` finds the recall of this test.
   */
  function recallUntilShown(watcher: Watcher, query: string, isOwn: (data: Frame['data']) => boolean): Promise<Frame> {
    return until('the recall is shown', async () => {
      await service.request('GET', `/recall?${query}`);
      return watcher.activity('memory.recall').find(({ data }) => isOwn(data));
    });
  }
  const positions = (watcher: Watcher): readonly (number | null)[] => watcher.events().map(({ id }) => id);

  it('starts immediately, with headers that stop proxies from buffering it', async () => {
    const { headers, comments } = await open();
    expect(comments).to.deep.equal(['connected']);
    expect(headers['content-type']).to.equal('text/event-stream; charset=utf-8');
    expect(headers['cache-control']).to.equal('no-cache');
    expect(headers['x-accel-buffering']).to.equal('no');
    expect(headers['connection']).to.equal('keep-alive');
  });

  it('shows new journalled events as CloudEvents with their positions as ids', async () => {
    await store('Before the first watcher');
    const watcher = await open();
    const id = await store('The ferry leaves at seven', { tags: ['ferry'] });
    await until('the event is shown', () => watcher.events().length > 0); // a deletion erases the content
    await service.request('PATCH', `/memory/${id}`, { body: { importance: 0.9 } });
    await service.request('DELETE', `/memory/${id}`);
    await until('the deletion is shown', () => watcher.events().some(({ type }) => type === 'memory.deleted'));
    const own = watcher.events().filter(({ data }) => data.subject === id);
    expect(own.map(({ type, data }) => [type, data.version])).to.deep.include.members([
      ['memory.stored', 1],
      ['memory.updated', 2],
    ]);
    const [stored] = own;
    expect(watcher.events()[0], 'nothing from before').to.equal(stored);
    expect(stored?.data).to.include({
      specversion: '1.0',
      type: 'memory.stored',
      subject: id,
      position: stored?.id,
      actortier: 'open',
    });
    expect(stored?.data.data.memory).to.include({ content: 'The ferry leaves at seven' });
    expect(stored?.timestamp).to.equal(stored?.data.time);
  });

  it('shows stored memories and recalls as activity in the existing format', async () => {
    const watcher = await open();
    const content = `Der Zug nach Zürich ${'fährt '.repeat(30)}`;
    const id = await store(content, { tags: ['a', 'b', 'c', 'd', 'e', 'f'], type: 'Habit', importance: 0.7 });
    const query = 'Zug '.repeat(20);
    const shown = await recallUntilShown(
      watcher,
      `query=${query}&limit=3&tags=a&tags=b&tags=c&tags=d&tag_mode=all`,
      (data) => data.query === query.slice(0, 50),
    );
    const stored = await until('the stored memory is shown', () =>
      watcher.activity('memory.store').find(({ data }) => data.id === id),
    );
    expect(stored?.data).to.include({
      id,
      type: 'Habit',
      importance: 0.7,
      size_bytes: Buffer.byteLength(content.trim()),
      content_preview: content.slice(0, 100),
    });
    expect(stored?.data.tags).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(stored?.data.elapsed_ms).to.be.within(0, 10_000);
    expect(shown.data).to.include({ query: query.slice(0, 50), limit: 3, result_count: 1 });
    expect(shown.data.tags).to.deep.equal(['a', 'b', 'c']);
    expect(shown.data.elapsed_ms).to.be.above(0);
  });

  it('shows a recall without a query as "(no query)"', async () => {
    const watcher = await open({ query: '?only=activity' });
    const tag = `live-stream-${randomUUID()}`;
    const { data } = await recallUntilShown(watcher, `tags=${tag}`, ({ tags }) => tags.includes(tag));
    expect(data).to.deep.include({ query: '(no query)', limit: 5, tags: [tag] });
  });

  it('shows only events or only activity with the parameter only', async () => {
    const [events, activity] = [await open({ query: '?only=events' }), await open({ query: '?only=activity' })];
    await store('Seen in two ways');
    await until(
      'both have received it',
      () => events.frames.length > 0 && activity.frames.some(({ type }) => type === 'memory.store'),
    );
    expect(events.frames.map(({ type, id }) => [type, id === null])).to.deep.include(['memory.stored', false]);
    expect(events.frames.every(({ id }) => id !== null)).to.equal(true);
    expect(activity.frames.map(({ type, id }) => [type, id])).to.deep.include(['memory.store', null]);
    expect(activity.frames.every(({ id }) => id === null)).to.equal(true);
  });

  it('shows the activity of background work', async () => {
    const watcher = await open();
    const activity = {
      kind: 'watched',
      type: 'enrichment.start',
      data: { memory_id: randomUUID(), attempt: 1 },
      at: '2024-01-01T00:00:00+00:00',
    } as const;
    const { id, timestamp, data } = await until('the activity is shown', () => {
      service.engines.stream.notify(activity);
      return watcher.activity('enrichment.start').find((frame) => frame.data.memory_id === activity.data.memory_id);
    });
    expect({ id, timestamp, data }).to.deep.equal({ id: null, timestamp: activity.at, data: activity.data });
  });

  it('continues after Last-Event-ID, which wins over `after`, without old activity', async () => {
    const first = await open();
    for (const name of ['one', 'two', 'three']) await store(`Resumed: ${name}`);
    await until('all are shown', () => first.events().length >= 3);
    const [one, ...later] = positions(first);
    for (const options of [
      { lastEventId: one ?? 0 },
      { lastEventId: first.events()[0]?.cursor ?? '' },
      { query: `?after=${first.events()[0]?.cursor}` },
      { lastEventId: one ?? 0, query: '?after=0' },
      { query: `?after=${one}` },
      { query: `?after=${one}`, lastEventId: ' ' },
    ]) {
      const second = await open(options);
      await until('the rest is shown', () => second.events().length >= later.length);
      expect(positions(second).slice(0, later.length)).to.deep.equal(later);
      expect(second.activity('memory.store')).to.deep.equal([]);
    }
  });

  it('rejects an invalid position and one above the head, naming the field', async () => {
    const refusals = [
      ['?after=-1', {}, 'after'],
      ['?after=soon', {}, 'after'],
      ['?after=1e99', {}, 'after'],
      ['?after=999999', {}, 'after'],
      ['?only=everything', {}, 'only'],
      ['', { 'last-event-id': 'abc' }, 'Last-Event-ID'],
      ['', { 'last-event-id': '-3' }, 'Last-Event-ID'],
      ['', { 'last-event-id': '1.5' }, 'Last-Event-ID'],
      ['', { 'last-event-id': '9'.repeat(40) }, 'Last-Event-ID'],
      ['', { 'last-event-id': '999999' }, 'Last-Event-ID'],
    ] as const;
    for (const [query, headers, field] of refusals) {
      const { status, body } = await service.request('GET', `/stream${query}`, { headers });
      expect([status, body.field], `${query} ${JSON.stringify(headers)}`).to.deep.equal([400, field]);
      expect(body.message).to.include(`${field}`);
    }
  });

  it('rejects a position of another history, naming the field', async () => {
    const watcher = await open();
    await store('Stored in this history');
    await until('it is shown', () => watcher.events().length > 0);
    const other = ofAnotherHistory(watcher.events()[0]?.cursor ?? '');
    for (const [query, headers, field] of [
      [`?after=${other}`, {}, 'after'],
      ['', { 'last-event-id': other }, 'Last-Event-ID'],
    ] as const) {
      const { status, body } = await service.request('GET', `/stream${query}`, { headers });
      expect([status, body.field]).to.deep.equal([400, field]);
      expect(body.message).to.equal(
        `'${field}' belongs to another history of this service: leave it out for new events, or start again with after=0`,
      );
    }
  });

  it('sends keepalive comments while it is idle', async () => {
    const { comments } = await open();
    await until(
      'two keepalive comments arrive',
      () => comments.filter((comment) => comment === 'keepalive').length >= 2,
    );
  });

  it('serves many watchers without a warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    try {
      await Promise.all(Array.from({ length: 30 }, () => open()));
      const id = await store('Seen by many');
      await until('all have received it', () =>
        watchers.every((watcher) => watcher.events().some(({ data }) => data.subject === id)),
      );
    } finally {
      process.off('warning', note);
    }
    expect(warnings).to.deep.equal([]);
  });

  it('counts its watchers until they disconnect', async () => {
    const subscribers = async (): Promise<number> => (await service.request('GET', '/stream/status')).body.subscribers;
    await until('the earlier watchers are gone', async () => (await subscribers()) === 0);
    await Promise.all([open(), open()]);
    expect(await subscribers()).to.equal(2);
    await watchers[0]?.close();
    await until('one has gone', async () => (await subscribers()) === 1);
    expect((await service.request('GET', '/stream/status')).body.instance)
      .to.be.a('string')
      .and.not.equal('');
  });

  it('answers HEAD with headers only and does not count it', async () => {
    const answer = await fetch(`${service.url}/stream`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    await until(
      'no watcher is counted',
      async () => (await service.request('GET', '/stream/status')).body.subscribers === 0,
    );
  });
});
