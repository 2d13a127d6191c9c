/**
 * A memory that replaces another one is ranked by its own words, and by a share of the match of the replaced memory.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const NOW = new Date('2024-06-01T12:00:00Z');
const QUERY = 'when do we deploy';

type Result = {
  readonly id: string;
  readonly final_score: number;
  readonly score_components: Readonly<Record<string, number>>;
  readonly explain: {
    readonly features: Readonly<Record<string, number>>;
    readonly points: Readonly<Record<string, number>>;
    readonly found_in?: object;
  };
};

describe('recall of a successor', () => {
  const hidden = new Set<string>();
  let service: Service;
  before(async () => {
    service = await startService({
      clock: { now: () => NOW },
      alter: (engines) => ({
        ...engines,
        vectors: {
          ...engines.vectors,
          search: async (...request) => (await engines.vectors.search(...request)).filter(({ id }) => !hidden.has(id)),
        },
      }),
    });
  });
  after(() => service.close());
  afterEach(() => hidden.clear());

  /** Stores the contents on days of their own. All memories have the tag. */
  async function store<const Names extends readonly string[]>(tag: string, ...contents: Names) {
    const memories = contents.map((content, index) => ({
      content,
      tags: [tag],
      type: 'Decision',
      timestamp: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
    }));
    const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
    expect(status).to.equal(201);
    return body.memory_ids as { readonly [Name in keyof Names]: string };
  }
  async function supersede(older: string, newer: string, type = 'INVALIDATED_BY'): Promise<void> {
    const body = { memory1_id: older, memory2_id: newer, type, strength: 0.9 };
    expect((await service.request('POST', '/associate', { body })).status).to.equal(201);
  }
  async function recall(tag: string, query = QUERY): Promise<readonly Result[]> {
    await service.settled();
    const parameters = new URLSearchParams({ query, tags: tag, explain: 'true', adaptive_floor: 'false' });
    const { status, body } = await service.request('GET', `/recall?${parameters}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.results;
  }
  const idsOf = (results: readonly Result[]): readonly string[] => results.map(({ id }) => id);
  const resultOf = (results: readonly Result[], id: string): Result => {
    const found = results.find((result) => result.id === id);
    if (!found) throw new Error(`${id} is not a result`);
    return found;
  };

  it('returns one that answers the question first', async () => {
    const [fridays, tuesdays] = await store(
      'on-topic',
      'We deploy on Fridays',
      'We deploy on Tuesdays',
      'Lunch is at noon',
      'The deploy script is slow',
    );
    await supersede(fridays, tuesdays);
    const results = await recall('on-topic');
    expect(idsOf(results)[0]).to.equal(tuesdays);
    expect(idsOf(results)).to.not.include(fridays);
  });

  it('returns one without a word of the question before unrelated memories', async () => {
    const [fridge, dana] = await store(
      'other-words',
      'The wifi password is on the fridge',
      'Ask Dana at the front desk',
      'Lunch is at noon',
      'The printer is out of paper',
    );
    await supersede(fridge, dana);
    const [first] = await recall('other-words', 'where is the wifi password');
    expect(first?.id).to.equal(dana);
    expect(first?.explain.features).to.include({ words: 0, lexical: 0 });
    expect(first?.score_components['keyword']).to.be.above(0);
  });

  it('returns one off the topic after a memory that matches by itself', async () => {
    const [fridays, wiki, mondays] = await store(
      'off-topic',
      'When do we deploy? We deploy on Fridays',
      'Moved to the wiki',
      'When do we deploy? We deploy on Mondays',
      'Lunch is at noon',
    );
    await supersede(fridays, wiki);
    expect(idsOf(await recall('off-topic')).slice(0, 2)).to.deep.equal([mondays, wiki]);
  });

  it('explains its share by the weakest association of the chain', async () => {
    const [fridays, notes, wiki] = await store('chain', 'We deploy on Fridays', 'See the notes', 'Moved to the wiki');
    await supersede(fridays, notes, 'EVOLVED_INTO');
    await supersede(notes, wiki, 'INVALIDATED_BY');
    const { final_score, explain } = resultOf(await recall('chain'), wiki);
    expect(explain.found_in).to.deep.include({ id: fridays, type: 'EVOLVED_INTO', strength: 0.9, share: 0.8075 });
    expect(explain.features['words']).to.equal(0);
    expect(explain.points['keyword']).to.be.above(0);
    const sum = Object.values(explain.points).reduce((total, points) => total + points, 0);
    expect(sum).to.be.closeTo(final_score, 1e-5);
    expect(explain.points).to.not.have.property('adjusted');
  });

  it('has the same score when the vector index does not return it', async () => {
    const [fridays, wiki] = await store('hidden', 'We deploy on Fridays', 'Moved to the wiki', 'Lunch is at noon');
    await supersede(fridays, wiki);
    const found = resultOf(await recall('hidden'), wiki);
    hidden.add(wiki);
    const unfound = resultOf(await recall('hidden'), wiki);
    expect(found.score_components['vector']).to.be.above(0);
    expect(unfound.explain.features['similarity']).to.equal(0);
    expect(unfound.final_score).to.be.closeTo(found.final_score, 1e-5);
  });
});
