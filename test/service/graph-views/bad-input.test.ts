/** Bad input of the routes that show the graph: a default, a limit, or a 4xx that names the field; never a 5xx. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

/** A blank, other numbers, and what no parser of numbers takes. */
const NO_INTEGERS = ['', '%20', 'deep', 'NaN', 'Infinity', '0x10', '1,5', '%F0%9F%92%A9', '1;DROP', '[]'];

describe('bad input of graph routes', () => {
  let service: Service;
  let id: string;
  before(async () => {
    service = await startService();
    const { body } = await service.request('POST', '/memory', { body: { content: 'The centre' } });
    id = body.memory_id;
  });
  after(() => service.close());

  const get = (path: string) => service.request('GET', path);
  const related = (query: string) => get(`/memories/${id}/related?${query}`);

  it('uses the default in place of a text that is no number', async () => {
    for (const text of NO_INTEGERS) {
      const { status, body } = await related(`max_depth=${text}&limit=${text}`);
      expect([status, body.max_depth, body.limit], text).to.deep.equal([200, 1, 5]);
    }
  });

  for (const [numbers, depth, limit] of [
    [['0', '-1', '-99999999999999999999'], 1, 1],
    [['99999999999999999999', '9007199254740993', '250'], 3, 200],
  ] as const) {
    it(`is clamped to depth ${depth} and limit ${limit}: ${numbers[0]}`, async () => {
      for (const number of numbers) {
        const { status, body } = await related(`max_depth=${number}&limit=${number}`);
        expect([status, body.max_depth, body.limit], number).to.deep.equal([200, depth, limit]);
      }
    });
  }

  it('uses the first of repeated numbers', async () => {
    expect((await related('max_depth=2&max_depth=3&limit=7&limit=9')).body).to.include({ max_depth: 2, limit: 7 });
  });

  it('is rejected by name for more than 50 types', async () => {
    const types = Array.from({ length: 51 }, (_, at) => `T${at}`).join(',');
    const { status, body } = await related(`relationship_types=${types}`);
    expect([status, body.field], JSON.stringify(body)).to.deep.equal([400, 'relationship_types']);
  });

  it('follows the default types for hostile names of types', async () => {
    for (const name of ['__proto__', 'constructor', 'PART_OF%60)--', '%F0%9F%92%A9', 'x'.repeat(5_000)]) {
      const { status, body } = await related(`relationship_types=${name}`);
      expect([status, body.relationship_types.length], name).to.deep.equal([200, 11]);
    }
  });

  it('finds nothing for hostile ids', async () => {
    for (const key of [
      '__proto__',
      '%ZZ',
      '%00',
      '..%2F..%2Fetc%2Fpasswd',
      '%27%20OR%201=1',
      '%F0%9F%92%A9',
      `${id}%20`,
    ]) {
      const { status, body } = await get(`/memories/${key}/related`);
      expect([status, body.count], key).to.deep.equal([200, 0]);
    }
  });

  it('is rejected by name for a character that is not text', async () => {
    for (const name of ['max_depth', 'limit', 'relationship_types']) {
      const { status, body } = await related(`${name}=%00`);
      expect(status, name).to.equal(400);
      expect(body.message).to.include(name);
    }
  });

  it('is 404 or 405 for paths and methods that are none', async () => {
    expect((await get('/memories//related')).status).to.equal(404);
    expect((await get('/memories/related')).status).to.equal(404);
    for (const path of [`/memories/${id}/related`, '/startup-recall', '/graph/types', '/graph/relations'])
      expect((await service.request('POST', path, { body: {} })).status, path).to.equal(405);
  });

  it('changes nothing in parameters that a route does not know', async () => {
    for (const path of ['/startup-recall', '/graph/types', '/graph/relations']) {
      const plain = (await get(path)).body;
      const { status, body } = await get(`${path}?limit=-1&depth=deep&types=%00`);
      expect([status, Object.keys(body).filter((name) => name !== 'warnings')], path).to.deep.equal([
        200,
        Object.keys(plain),
      ]);
    }
  });
});

describe('graph routes without a graph', () => {
  it('answer 503, and the lists of types as always', async () => {
    const service = await startService();
    service.breakers.graph.break();
    for (const [path, status] of [
      ['/memories/00000000-0000-4000-8000-000000000001/related', 503],
      ['/startup-recall', 503],
      ['/graph/types', 200],
      ['/graph/relations', 200],
    ] as const)
      expect((await service.request('GET', path)).status, path).to.equal(status);
    await service.close();
  });
});
