/** GET /events: the journal in order, from any position, with filters, limits and waiting. */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { ofAnotherHistory, positionIn } from '../../support/checks/position-in.js';
import type { Answer } from '../../support/clients/http-caller.js';
import { type Service, startService } from '../../support/processes/service.js';

type Shown = {
  readonly type: string;
  readonly subject: string;
  readonly position: number;
  readonly version: number;
  readonly data?: object;
  readonly erased?: true;
};
type Feed = { readonly events: readonly Shown[]; readonly next: string; readonly head: string; readonly count: number };

describe('GET /events', () => {
  let service: Service;
  let first: string;
  let second: string;
  let gone: string;
  before(async () => {
    service = await startService();
    [first, second, gone] = (await Promise.all(['First', 'Second', 'Gone'].map((content) => store(content)))) as [
      string,
      string,
      string,
    ];
    await service.request('PATCH', `/memory/${first}`, { body: { importance: 0.9 } });
    await service.request('POST', '/associate', { body: { memory1_id: first, memory2_id: second, type: 'LEADS_TO' } });
    await service.request('DELETE', `/memory/${gone}`);
  });
  /** No more events are written, not even by background work. */
  beforeEach(() => service.settled());
  after(() => service.close());

  const store = async (content: string): Promise<string> =>
    (await service.request('POST', '/memory', { body: { content } })).body.memory_id;
  const ask = (query: string): Promise<Answer> => service.request('GET', `/events?${query}`);
  const feed = async (query: string): Promise<Feed> => (await ask(query)).body;
  const named = ({ events }: Feed): readonly string[] => events.map(({ type }) => type);

  it('returns every event of the journal in order', async () => {
    const { events, next, head, count } = await feed('');
    const journal = await service.engines.journal.read({ after: 0, limit: 100 });
    expect(events.map(({ position }) => position)).to.deep.equal(journal.map(({ position }) => position));
    expect([next, count]).to.deep.equal([head, journal.length]);
    expect(events.find(({ subject }) => subject === second)).to.deep.include({
      specversion: '1.0',
      source: '/palimpsest',
      actortier: 'open',
      type: 'memory.stored',
    });
  });

  it('continues after the last event of a page', async () => {
    const whole = (await feed('')).events;
    const pages: Shown[] = [];
    for (let page = await feed('limit=2'); page.count > 0; page = await feed(`limit=2&after=${page.next}`)) {
      expect(page.count).to.be.at.most(2);
      pages.push(...page.events);
    }
    expect(pages).to.deep.equal(whole);
  });

  it('continues after a plain number, and refuses a position of another history', async () => {
    const { events, next } = await feed('limit=2');
    expect(next).to.match(/^[0-9a-f]{8}\.\d+$/u);
    expect(await feed(`limit=2&after=${events.at(-1)?.position}`)).to.deep.equal(await feed(`limit=2&after=${next}`));
    const { status, body } = await ask(`after=${ofAnotherHistory(next)}`);
    expect([status, body.field]).to.deep.equal([400, 'after']);
    expect(body.message).to.equal(
      "'after' belongs to another history of this service: start again from 0, the beginning",
    );
  });

  it('filters by types and subjects, and skips the rest', async () => {
    const { head } = await feed('');
    const stored = await feed('type=memory.updated&type=association.created,memory.updated');
    expect(named(stored)).to.deep.equal(['memory.updated', 'association.created']);
    expect(stored.next).to.equal(head);
    expect(named(await feed(`subject=${first.toUpperCase()}`))).to.deep.equal(['memory.stored', 'memory.updated']);
    expect(named(await feed(`subject=${first}&type=memory.updated`))).to.deep.equal(['memory.updated']);
    expect(named(await feed(`subject=${encodeURIComponent(`${first}|LEADS_TO|${second}`)}`))).to.deep.equal([
      'association.created',
    ]);
    expect(await feed('subject=4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11')).to.include({ count: 0, next: head });
  });

  it('returns the envelopes of a deleted memory, marked as erased', async () => {
    const { events } = await feed(`subject=${gone}&type=memory.stored,memory.deleted`);
    expect(
      events.map(({ type, erased, data }) => ({ type, erased, hasWords: JSON.stringify(data ?? '').includes('Gone') })),
    ).to.deep.equal([
      { type: 'memory.stored', erased: true, hasWords: false },
      { type: 'memory.deleted', erased: undefined, hasWords: false },
    ]);
    expect(events[0]).to.not.have.property('data');
  });

  it('waits for the next event, up to its limit', async () => {
    const { head } = await feed('');
    const waiting = feed(`after=${head}&wait=20`);
    const answer = await service.request('POST', '/memory', { body: { content: 'Awaited' } });
    expect(named(await waiting)).to.deep.equal(['memory.stored']);
    const position = positionIn(answer.headers.get(RECEIPT_HEADER));
    expect((await waiting).events[0]?.position).to.equal(position);
    await service.settled();
    const { head: end } = await feed('');
    expect(await feed(`after=${end}&wait=0.05`)).to.deep.include({ events: [], next: end, count: 0 });
  });

  it('waits for an event that matches its filter', async () => {
    const { head } = await feed('');
    const waiting = feed(`after=${head}&wait=20&type=memory.deleted`);
    const id = await store('In passing');
    await service.request('DELETE', `/memory/${id}`);
    expect(named(await waiting)).to.deep.equal(['memory.deleted']);
  });

  it('returns fewer events than the limit when they are large', async () => {
    const before = (await feed('')).head;
    const memories = Array.from({ length: 150 }, (_, index) => ({
      content: `Large ${index}`,
      metadata: { filler: 'x'.repeat(65_000) },
    }));
    await service.request('POST', '/memory/batch', { body: { memories } });
    const page = await feed(`after=${before}&limit=1000&type=memory.stored`);
    expect(page.count).to.be.within(100, 130);
    expect(positionIn(page.next)).to.equal(page.events.at(-1)?.position);
    const rest = await feed(`after=${page.next}&limit=1000&type=memory.stored`);
    expect(page.count + rest.count).to.equal(150);
    expect(rest.next).to.equal(rest.head);
  }).timeout(60_000);

  for (const [query, field] of [
    ['after=x', 'after'],
    ['after=-1', 'after'],
    ['after=1.5', 'after'],
    ['after=9007199254740993', 'after'],
    ['after=9007199254740991', 'after'],
    ['type=memory.burnt', 'type'],
    ['type=memory.stored,x', 'type'],
    ['subject=nonsense', 'subject'],
    ['subject=a|b|c', 'subject'],
    ['subject=%00', 'subject'],
    ['subject=4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11|KNOWS|4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11', 'subject'],
  ] as const) {
    it(`rejects ${query.slice(0, 45)} with the name of ${field}`, async () => {
      const { status, body } = await ask(query);
      expect([status, body.field]).to.deep.equal([400, field]);
      expect(body.message).to.contain(`'${field}'`);
    });
  }

  it('clamps limits and waits to their range', async () => {
    for (const query of ['limit=0', 'limit=-5', 'limit=1']) expect((await feed(query)).count, query).to.equal(1);
    for (const query of ['limit=99999999999999999999', 'limit=x&wait=-3', 'after=0&wait=x'])
      expect((await ask(query)).status, query).to.equal(200);
  });
});
