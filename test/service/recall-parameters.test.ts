/** How GET /recall reads its parameters: other names, repetition and commas, what is ignored, defaulted or clamped. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('parameters of recall', () => {
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService({ variables: { RECALL_MAX_LIMIT: '6', RECALL_EXCLUDED_TYPES: 'MetaPattern,Style' } });
    const at = (day: number): string => `2024-03-0${day}T10:00:00Z`;
    ids = {
      red: await store({ content: 'Red lamp', tags: ['colour/red', 'lamp'], timestamp: at(1), importance: 0.9 }),
      blue: await store({ content: 'Blue lamp', tags: ['colour:blue', 'lamp'], timestamp: at(2), importance: 0.8 }),
      comma: await store({ content: 'Both lamps', tags: ['red,blue'], timestamp: at(3), importance: 0.7 }),
      plain: await store({ content: 'No lamp at all', tags: ['colourless'], timestamp: at(4), importance: 0.6, type: 'Habit' }),
      hidden: await store({ content: 'Lamps in a style of their own', tags: ['lamp'], timestamp: at(5), importance: 1, type: 'Style' }),
    };
    for (let filler = 1; filler <= 3; filler += 1) await store({ content: `Filler ${filler}`, tags: ['filler'], timestamp: '2023-01-01', importance: 0.1 });
    await service.settled();
  });
  after(() => service.close());

  async function store(body: object): Promise<string> {
    return (await service.request('POST', '/memory', { body: { type: 'Decision', ...body } })).body.memory_id;
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  async function found(query: string): Promise<readonly string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return (await recall(query)).results.map(({ id }: { id: string }) => names.get(id) ?? 'filler');
  }

  it('gives five results unless told otherwise, and never more than the largest limit', async () => {
    expect(await found('')).to.deep.equal(['red', 'blue', 'comma', 'plain', 'filler']);
    for (const [limit, count] of [['2', 2], ['0', 1], ['-7', 1], ['1000', 6], ['many', 5], ['2.5', 5], ['', 5]] as const) {
      expect((await recall(`limit=${limit}`)).count, `limit=${limit}`).to.equal(count);
    }
  });

  it('never shows a type that is excluded', async () => {
    for (const query of ['limit=6', 'query=style+lamps&limit=6', 'tags=lamp', 'tags=lamp&state_mode=history']) {
      expect(await found(query), query).to.not.include('hidden');
    }
    expect((await service.request('GET', '/memory/by-tag?tags=lamp')).body.count).to.equal(3);
  });

  it('takes order_by for sort and time for time_query', async () => {
    expect(await found('order_by=time_asc&tags=colour&tags=colourless')).to.deep.equal(['red', 'blue', 'plain']);
    expect(await recall('time=march+2024')).to.deep.include({ time_window: { start: '2024-03-01T00:00:00+00:00', end: '2024-04-01T00:00:00+00:00' } });
    expect(await found('sort=time_desc&order_by=time_asc&limit=1')).to.deep.equal(['plain']);
  });

  it('ignores what it does not know, and defaults what it cannot read', async () => {
    const plain = await found('query=lamp');
    for (const rest of ['format=detailed', 'offset=3', 'whatever=1&whatever=2', 'min_score=high', 'sort=best', 'tag_mode=most', 'tag_match=fuzzy', 'state_debug=perhaps', 'current_only=perhaps']) {
      expect(await found(`query=lamp&${rest}`), rest).to.deep.equal(plain);
    }
    expect(await recall('sort=best&tag_mode=most&tag_match=fuzzy&tags=lamp')).to.include({ sort: 'score', tag_mode: 'any', tag_match: 'prefix' });
  });

  it('reads tags by repetition alone, and exclusions by repetition and commas', async () => {
    expect(await found('tags=red,blue')).to.deep.equal(['comma']);
    expect(await found('tags=colour:red&tags=colour:blue')).to.deep.equal(['red', 'blue']);
    expect(await found('exclude_tags=fill,colour:red&exclude_tags=COLOURLESS')).to.deep.equal(['blue', 'comma']);
    expect(await found('exclude_tags=fill,colour&limit=6')).to.deep.equal(['comma']);
    expect(await recall('tags=%20lamp%20&tags=&exclude_tags=a,%20b')).to.deep.include({ tags: ['lamp'], exclude_tags: ['a', 'b'] });
  });

  it('orders by score, but by time for a window without a query unless a sort is given', async () => {
    const window = 'start=2024-03-01&end=2024-03-31';
    for (const [query, sort] of [[window, 'time_desc'], [`query=*&${window}`, 'time_desc'], [`query=lamp&${window}`, 'score'], [`sort=updated_asc&${window}`, 'updated_asc'], ['tags=lamp', 'score']] as const) {
      expect((await recall(query)).sort, query).to.equal(sort);
    }
    expect(await found(window)).to.deep.equal(['plain', 'comma', 'blue', 'red']);
  });

  it('takes both ends of a window, to the instant', async () => {
    expect(await found('start=2024-03-02T10:00:00Z&end=2024-03-03T12:00:00%2B02:00')).to.deep.equal(['comma', 'blue']);
    expect(await found('start=2024-03-02T10:00:01Z&end=2024-03-03T09:59:59Z')).to.deep.equal([]);
    expect((await recall('start=2024-03-04')).time_window).to.deep.equal({ start: '2024-03-04T00:00:00+00:00', end: null });
    expect(await found('time_query=march+2024&end=2024-03-02')).to.deep.equal(['red']);
  });

  it('tells instants apart by microseconds, and shows them as they came', async () => {
    for (const fraction of ['000002', '000001', '5']) await store({ content: `Tick ${fraction}`, tags: ['tick'], timestamp: `2022-01-01T00:00:00.${fraction}Z` });
    const { results } = await recall('tags=tick&sort=time_asc');
    expect(results.map(({ memory }: { memory: { timestamp: string } }) => memory.timestamp.slice(20))).to.deep.equal(['000001+00:00', '000002+00:00', '500000+00:00']);
    expect((await recall('tags=tick&start=2022-01-01T00:00:00.000002Z&end=2022-01-01T00:00:00.4Z')).count).to.equal(1);
  });

  it('orders by the last change, also what a query found', async () => {
    expect((await service.request('PATCH', `/memory/${ids['red']}`, { body: { importance: 0.95 } })).status).to.equal(200);
    for (const sort of ['updated_desc', 'time_desc']) {
      expect(await found(`tags=colour&sort=${sort}`)).to.deep.equal(['red', 'blue']);
      expect(await found(`query=lamp&tags=colour&sort=${sort}`)).to.deep.equal(['red', 'blue']);
    }
    for (const sort of ['updated_asc', 'time_asc']) {
      expect(await found(`tags=colour&sort=${sort}`)).to.deep.equal(['blue', 'red']);
      expect(await found(`query=lamp&tags=colour&sort=${sort}`)).to.deep.equal(['blue', 'red']);
    }
  });

  it('reads a state by either name, and refuses one that does not exist under any circumstances', async () => {
    for (const [query, mode] of [['current_only=no', 'history'], ['current_only=1&state_mode=history', 'current'], ['current_only=off&state_mode=current', 'history'], ['state_mode=HISTORY', 'history'], ['state_mode=', 'current']] as const) {
      expect((await recall(query)).state_mode, query).to.equal(mode);
    }
    expect((await service.request('GET', '/recall?current_only=true&state_mode=soon')).status).to.equal(400);
  });

  it('refuses an embedding that is not all numbers', async () => {
    const { status, body } = await service.request('GET', '/recall?embedding=1,two,3');
    expect(status).to.equal(400);
    expect(body.message).to.equal('Embedding must contain numeric values');
  });
});
