/** GET /memories: filters, orders, cursors, counts, and what the edge refuses. */
import { expect } from 'chai';
import { LIST_BYTES_LIMIT, QUERY_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import { type Service, startService } from '../../support/processes/service.js';

const MEMORIES = [
  { content: 'one', type: 'Context', importance: 0.1, timestamp: '2024-01-03T08:00:00Z', tags: ['Team/Red'] },
  { content: 'two', type: 'Insight', importance: 0.9, timestamp: '2024-01-01T08:00:00Z', tags: ['team:red', 'x'] },
  { content: 'three', type: 'Insight', importance: 0.9, timestamp: '2024-01-02T08:00:00Z', tags: ['x'] },
  { content: 'four', type: 'Style', importance: 0.5, timestamp: '2024-01-04T08:00:00Z', tags: ['y'] },
  { content: 'five', type: 'Habit', importance: 0.4, timestamp: '2024-01-05T08:00:00Z', t_invalid: '2024-02-01' },
];
const LARGE = 60_000;

describe('GET /memories', () => {
  let service: Service;
  let ids: readonly string[];
  before(async () => {
    service = await startService();
    ids = (await service.request('POST', '/memory/batch', { body: { memories: MEMORIES } })).body.memory_ids;
    await service.request('PATCH', `/memory/${ids[1]}`, { body: { content: 'two, changed' } });
  });
  after(() => service.close());

  const list = async (query = '') => {
    const { status, body } = await service.request('GET', `/memories?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const contents = ({ memories }: { memories: readonly { content: string }[] }): readonly string[] =>
    memories.map(({ content }) => content);

  it('lists memories in any state, the newest first', async () => {
    const body = await list();
    expect(contents(body)).to.deep.equal(['five', 'four', 'one', 'three', 'two, changed']);
    expect(body).to.include({ status: 'success', next_cursor: null });
    expect(body).to.not.have.property('facets');
    const { relations: _relations, ...memory } = (await service.request('GET', `/memory/${ids[4]}`)).body.memory;
    expect({ ...body.memories[0], last_accessed: '' }).to.deep.equal({ ...memory, last_accessed: '' });
  });

  it('sorts by time, importance or update', async () => {
    expect(contents(await list('sort=oldest'))).to.deep.equal(['two, changed', 'three', 'one', 'four', 'five']);
    expect(contents(await list('sort=IMPORTANCE'))).to.deep.equal(['three', 'two, changed', 'four', 'five', 'one']);
    expect(contents(await list('sort=updated'))[0]).to.equal('two, changed');
  });

  it('filters by type, tag, time and importance together', async () => {
    expect(contents(await list('types=Insight,Style'))).to.deep.equal(['four', 'three', 'two, changed']);
    expect(contents(await list('tags=team'))).to.deep.equal(['one', 'two, changed']);
    expect(contents(await list('tags=team&tag_match=exact'))).to.deep.equal([]);
    expect(contents(await list('tags=TEAM/red&tag_match=exact'))).to.deep.equal(['one']);
    expect(contents(await list('tags=team&tags=x'))).to.deep.equal(['one', 'three', 'two, changed']);
    expect(contents(await list('tags=team&tags=x&tag_mode=all'))).to.deep.equal(['two, changed']);
    expect(contents(await list('min_importance=0.5'))).to.deep.equal(['four', 'three', 'two, changed']);
    const time = 'since=2024-01-02T08:00:00Z&until=2024-01-04T08:00:00Z';
    expect(contents(await list(time)), 'half-open').to.deep.equal(['one', 'three']);
    expect(contents(await list(`${time}&types=Insight&tags=x&min_importance=0.9`))).to.deep.equal(['three']);
  });

  it('filters by words of content and tags, in any form, together with the rest', async () => {
    const memories = [
      { content: 'The gardeners planted two cedars', tags: ['Yard'] },
      { content: 'A cedar is planted behind the gate', tags: ['front'], type: 'Insight' },
      { content: 'The gate is painted', tags: ['garden:cedar'] },
      { content: 'cedarwood', tags: ['yard'] },
    ];
    const { memory_ids: added } = (await service.request('POST', '/memory/batch', { body: { memories } })).body;
    const [gardeners, insight, gate] = memories.map(({ content }) => content);
    const found = async (query: string) => [...contents(await list(query))].sort();
    expect(await found('text=cedars')).to.deep.equal([insight, gate, gardeners].sort());
    expect(await found('text=CEDAR+planting')).to.deep.equal([insight, gardeners].sort());
    expect(await found('text=the+cedar+at+gates')).to.deep.equal([insight, gate].sort());
    expect(await found('text=cedar+yard')).to.deep.equal([gardeners]);
    expect(await found('text=cedar&tags=front&types=Insight')).to.deep.equal([insight]);
    expect(await found('text=cedar+unknown')).to.deep.equal([]);
    expect(await found('text=')).to.have.length(MEMORIES.length + memories.length);
    const { facets } = await list('text=cedar&facets=true');
    expect(facets).to.deep.include({ total: 3, counted: 3, is_partial: false });
    await service.request('PATCH', `/memory/${added[0]}`, { body: { content: 'nothing of it' } });
    expect(await found('text=cedar'), 'after a change').to.deep.equal([insight, gate].sort());
    for (const id of added) await service.request('DELETE', `/memory/${id}`);
    expect(await found('text=cedar'), 'after a deletion').to.deep.equal([]);
  });

  it('follows cursors in every order, also while memories are added', async () => {
    for (const sort of ['newest', 'oldest', 'importance', 'updated']) {
      const expected = contents(await list(`sort=${sort}`));
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const body: { memories: { content: string }[]; next_cursor: string | null } = await list(
          `sort=${sort}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        found.push(...contents(body));
        cursor = body.next_cursor;
      }
      expect(found, sort).to.deep.equal(expected);
    }
    const { next_cursor: cursor } = await list('limit=2&tags=x&tags=team');
    const added = await service.request('POST', '/memory', { body: { content: 'added', tags: ['x'] } });
    expect(contents(await list(`tags=x&tags=team&limit=5&cursor=${cursor}`))).to.deep.equal(['two, changed']);
    await service.request('DELETE', `/memory/${added.body.memory_id}`);
  });

  it('counts by type and tag on request', async () => {
    const { facets, ...page } = await list('facets=true&limit=0');
    expect(page).to.deep.include({ memories: [], next_cursor: null });
    expect(facets).to.deep.equal({
      types: [
        { type: 'Insight', count: 2 },
        { type: 'Context', count: 1 },
        { type: 'Habit', count: 1 },
        { type: 'Style', count: 1 },
      ],
      tags: [
        { tag: 'x', count: 2 },
        { tag: 'team/red', count: 1 },
        { tag: 'team:red', count: 1 },
        { tag: 'y', count: 1 },
      ],
      times: {
        unit: 'day',
        counts: ['01', '02', '03', '04', '05'].map((day) => ({ from: `2024-01-${day}`, count: 1 })),
      },
      total: 5,
      counted: 5,
      is_partial: false,
    });
    expect((await list('facets=1&tags=x&types=Insight&since=2024-01-02')).facets).to.deep.include({
      types: [{ type: 'Insight', count: 1 }],
      tags: [{ tag: 'x', count: 1 }],
      total: 1,
      is_partial: false,
    });
  });

  it('reads without counting as an access', async () => {
    const before = (await list('tags=y')).memories[0].last_accessed;
    await service.settled();
    expect((await list('tags=y')).memories[0].last_accessed).to.equal(before);
  });

  it('clamps the limit', async () => {
    expect((await list('limit=-1')).memories.length).to.equal(0);
    expect((await list('limit=1000')).memories.length).to.be.greaterThan(4);
    expect((await list('limit=some')).memories.length).to.be.greaterThan(4);
  });

  it('ends a page at its size in bytes', async () => {
    const memories = Array.from({ length: 30 }, (_, number) => ({
      content: `large ${number}`,
      tags: ['large'],
      metadata: { text: 'x'.repeat(LARGE) },
    }));
    await service.request('POST', '/memory/batch', { body: { memories } });
    const found = new Set<string>();
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const body: { memories: { content: string }[]; next_cursor: string | null } = await list(
        `tags=large&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(JSON.stringify(body).length).to.be.lessThan(LIST_BYTES_LIMIT + LARGE);
      for (const content of contents(body)) found.add(content);
      cursor = body.next_cursor;
    }
    expect([found.size, pages]).to.deep.equal([30, 2]);
  });

  it('refuses bad input with the name of the field', async () => {
    const { next_cursor: cursor } = await list('limit=1');
    const forged = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const [hash, time, id] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    const wrong: readonly (readonly [query: string, field: string])[] = [
      ['types=Nonsense', 'types'],
      ['types=insight', 'types'],
      [`tags=${Array.from({ length: 201 }, () => 'a').join('&tags=')}`, 'tags'],
      ['text=%21%3F', 'text'],
      [`text=${'x'.repeat(QUERY_LENGTH_LIMIT + 1)}`, 'text'],
      [`text=${Array.from({ length: 65 }, (_, number) => `word${number}`).join('+')}`, 'text'],
      [`cursor=${cursor}&text=one`, 'cursor'],
      ['since=yesterday', 'since'],
      ['until=2024-13-01', 'until'],
      ['min_importance=2', 'min_importance'],
      ['min_importance=high', 'min_importance'],
      ['sort=random', 'sort'],
      ['cursor=nonsense', 'cursor'],
      [`cursor=${String(cursor).slice(0, -4)}`, 'cursor'],
      [`cursor=${cursor}&sort=oldest`, 'cursor'],
      [`cursor=${cursor}&sort=importance`, 'cursor'],
      [`cursor=${cursor}&tags=x`, 'cursor'],
      [`cursor=${cursor}&types=Insight`, 'cursor'],
      [`cursor=${cursor}&since=2024-01-01`, 'cursor'],
      [`cursor=${cursor}&include_internal=true`, 'cursor'],
      ...[
        null,
        {},
        [],
        [hash],
        [hash, time],
        [hash, 7, id],
        [hash, time, id, id],
        [hash, time, ''],
        [hash, '\ud800', id],
        ['other', time, id],
      ].map((parts) => [`cursor=${forged(parts)}`, 'cursor'] as const),
    ];
    for (const [query, field] of wrong) {
      const { status, body } = await service.request('GET', `/memories?${query}`);
      expect([status, body.field], query).to.deep.equal([400, field]);
    }
    expect(contents(await list(`cursor=${cursor}&limit=2&facets=true`)), 'of another size').to.have.length(2);
  });
});
