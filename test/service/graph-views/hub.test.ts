/** A memory with 10,000 associations: the answer is bounded, and says that it was cut. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

/** Each other memory has one association of each type with the hub. */
const TYPES = ['RELATES_TO', 'LEADS_TO', 'PART_OF', 'REINFORCES', 'DERIVED_FROM'];
const SPOKES = 10_000 / TYPES.length;
/** The most memories, and the most associations, of one import. */
const BATCH = 500;
const ADMIN_TOKEN = 'admin';
/** The associations that one request reads at most: 1,000 of the first memory, then 100 of each of 100 memories. */
const mostRead = (depth: number): number => 1_000 + (depth - 1) * 100 * 100;

describe('related memories around a hub', () => {
  let service: Service;
  let read = 0;
  before(async () => {
    service = await startService({
      // Without the indexer: the route reads no vectors.
      variables: { PROJECTORS: 'access-recorder', ADMIN_API_TOKEN: ADMIN_TOKEN },
      alter: (engines) => ({
        ...engines,
        graph: {
          ...engines.graph,
          steps: async (request) => {
            const found = await engines.graph.steps(request);
            for (const ofOne of found.values()) read += ofOne.length;
            return found;
          },
        },
      }),
    });
    await importAll({ memories: [memory(0)] });
    for (let first = 1; first <= SPOKES; first += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, at) => first + at);
      await importAll({ memories: numbers.map(memory) });
      for (const type of TYPES)
        await importAll({ associations: numbers.map((number) => association(0, number, type)) });
    }
    // The spokes that were associated last lead on to those that were associated first.
    const last = Array.from({ length: BATCH }, (_, at) => SPOKES - at);
    await importAll({ associations: last.map((number) => association(number, SPOKES - number + 1, 'PART_OF')) });
  });
  after(() => service.close());
  beforeEach(() => (read = 0));

  async function importAll(body: { readonly memories?: readonly object[]; readonly associations?: readonly object[] }) {
    const reply = await service.request('POST', '/admin/import', { headers: { 'x-admin-token': ADMIN_TOKEN }, body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    const { memories, associations } = reply.body;
    expect([memories.stored, associations.stored]).to.deep.equal([
      body.memories?.length ?? 0,
      body.associations?.length ?? 0,
    ]);
  }

  const related = async (query: string) => {
    const { status, body } = await service.request('GET', `/memories/${idOf(0)}/related${query}`);
    expect(status).to.equal(200);
    return body;
  };

  for (const depth of [1, 2, 3]) {
    it(`are bounded at depth ${depth}, and say that they were cut`, async () => {
      const { count, related_memories: memories, truncated } = await related(`?max_depth=${depth}&limit=200`);
      expect([count, memories.length, truncated]).to.deep.equal([200, 200, true]);
      expect(new Set(memories.map(({ id }: { id: string }) => id)).size).to.equal(200);
      expect(read).to.be.within(1_000, mostRead(depth));
    });
  }

  it('are bounded for the largest numbers of a caller', async () => {
    const body = await related('?max_depth=99999999999999999999&limit=99999999999999999999');
    expect([body.max_depth, body.limit, body.count, body.truncated]).to.deep.equal([3, 200, 200, true]);
    expect(read).to.be.at.most(mostRead(3));
  });

  it('are not cut at the edge of the hub', async () => {
    const { body } = await service.request('GET', `/memories/${idOf(BATCH + 1)}/related?max_depth=1`);
    expect([body.count, body.truncated]).to.deep.equal([1, false]); // the hub
  });
});

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function memory(number: number): object {
  return { id: idOf(number), content: `Memory ${number}`, importance: number / SPOKES };
}

function association(one: number, other: number, type: string): object {
  return { memory1_id: idOf(one), memory2_id: idOf(other), type, strength: 0.5 };
}
