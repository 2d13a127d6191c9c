/**
 * Sessions whose messages have one timestamp, as an import by day gives them: the neighbours of a message are the ones
 * written before and after it.
 */
import { expect } from 'chai';
import { numberedId } from '../../support/fixtures/events.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-secret';
const MESSAGES = [
  'The bakery opens at seven',
  'Rain is expected over the hills',
  'The printer needs more paper',
  'Two seats by the window are free',
  'A cyclist asked for the old bridge',
  'The xylophone is in the attic',
  'Lunch was soup with dark bread',
  'The ferry leaves from the north pier',
  'The fence was painted green',
  'The library closes early today',
  'A parcel came from the coast',
  'The lamp in the hall flickers',
] as const;
const MATCH = 5;

type Stored = { readonly tag: string; readonly timestamp: string };
type Store = (service: Service, stored: Stored) => Promise<readonly string[]>;

const memories = ({ tag, timestamp }: Stored) => MESSAGES.map((content) => ({ content, tags: [tag], timestamp }));
/** The ids of an import descend, so that they do not have the order of writing. */
let imported = 0;
const WAYS: Readonly<Record<string, Store>> = {
  'one by one': async ({ request }, stored) => {
    const ids: string[] = [];
    for (const body of memories(stored)) ids.push((await request('POST', '/memory', { body })).body.memory_id);
    return ids;
  },
  'in a batch': async ({ request }, stored) =>
    (await request('POST', '/memory/batch', { body: { memories: memories(stored) } })).body.memory_ids,
  'by an import': async ({ request }, stored) => {
    const items = memories(stored).map((item) => ({ ...item, id: numberedId(9_000 - (imported += 1)) }));
    const answer = await request('POST', '/admin/import', {
      headers: { 'X-Admin-Token': ADMIN },
      body: { memories: items },
    });
    expect(answer.body.memories.stored).to.equal(MESSAGES.length);
    return items.map(({ id }) => id);
  },
};

describe('messages of one time', () => {
  let service: Service;
  before(async () => (service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } })));
  after(() => service.close());

  async function recall(tag: string, parameters: Readonly<Record<string, string>>) {
    const search = new URLSearchParams({ tags: tag, limit: '20', ...parameters });
    const { status, body } = await service.request('GET', `/recall?${search}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.results).to.have.length(MESSAGES.length);
    return body.results as readonly {
      readonly id: string;
      readonly explain: { readonly features: { readonly neighbours: number } };
    }[];
  }
  /** The match, and the messages that a full match supports as its neighbours. */
  async function supported(tag: string, ids: readonly string[]): Promise<readonly number[]> {
    const results = await recall(tag, { query: 'xylophone', explain: 'true' });
    const full = results.filter(({ explain }) => explain.features.neighbours > 0.99);
    return full.map(({ id }) => ids.indexOf(id)).sort((one, other) => one - other);
  }

  let day = 0;
  for (const [way, store] of Object.entries(WAYS))
    for (const prefix of ['session', 'import']) {
      const scope = prefix === 'session' ? 'in a session' : 'without a session';
      it(`are neighbours ${scope}, stored ${way}`, async () => {
        day += 1;
        const stored = { tag: `${prefix}:${day}`, timestamp: `2024-03-${String(day).padStart(2, '0')}T00:00:00Z` };
        const ids = await store(service, stored);
        await service.settled();
        expect(await supported(stored.tag, ids)).to.deep.equal([MATCH - 1, MATCH, MATCH + 1]);
        const { status } = await service.request('PATCH', `/memory/${ids[MATCH + 1]}`, {
          body: { content: 'Lunch was stew with dark bread' },
        });
        expect(status).to.equal(200);
        await service.settled();
        expect(await supported(stored.tag, ids)).to.deep.equal([MATCH - 1, MATCH, MATCH + 1]);
      });
    }

  it('are listed in the order of writing', async () => {
    const stored = { tag: 'listed', timestamp: '2024-04-01T00:00:00Z' };
    const ids = await WAYS['in a batch']?.(service, stored);
    const listed = async (sort: string) => (await recall(stored.tag, { sort })).map(({ id }) => id);
    expect(await listed('time_asc')).to.deep.equal(ids);
    expect(await listed('time_desc')).to.deep.equal([...(ids ?? [])].reverse());
  });
});
