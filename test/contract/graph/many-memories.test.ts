/** Reads of every graph when so many memories share a word or a tag that engines choose other plans. */
import { expect } from 'chai';
import type { TrendingOrder } from '../../../shared/ports/graph.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { admits, randomFilter, randomMemories, some, WORDS } from '../../support/checks/reference-filter.js';
import { TRENDING_ORDERS } from '../../support/checks/trending-orders.js';
import { day, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const MANY = 9_000;
const BATCH = 1_000;
const FILTERS = 40;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph with many memories: ${adapter.name}`, () => {
    const random = seededRandom(3);
    const zeppelin = memory(MANY + 1, { content: 'a note about a zeppelin', timestamp: day(2) });
    const memories = [...randomMemories(MANY, random), zeppelin];
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      for (let from = 0; from < memories.length; from += BATCH) {
        await graph.writer.apply(memories.slice(from, from + BATCH).map((each) => stored(each)));
      }
    });
    after(() => graph.close());

    it('lists exactly the admitted memories in every order', async () => {
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const order = random.pick(Object.keys(TRENDING_ORDERS) as TrendingOrder[]);
        const expected = memories
          .filter((each) => admits(filter, each))
          .sort(TRENDING_ORDERS[order])
          .slice(0, 50)
          .map((each) => each.id);
        expect(
          await graph.reader.trending({ filter, order, limit: 50 }),
          JSON.stringify({ filter, order }),
        ).to.deep.equal(expected);
      }
    });

    it('lists the most important memories of rare and common tags', async () => {
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const top = (tag: string) =>
          memories
            .filter((each) => each.tag_prefixes.includes(tag) && admits(filter, each))
            .sort(TRENDING_ORDERS.importance)
            .slice(0, 20)
            .map((each) => each.id);
        const tags = ['project', 'deploy:eu west'];
        const found = await graph.reader.topByTag({ tags, filter, limit: 20 });
        expect(found, JSON.stringify(filter)).to.deep.equal(new Map(tags.map((tag) => [tag, top(tag)])));
      }
    });

    it('fills the limit with distinct admitted memories by word', async () => {
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const words = ['note', ...some(random, WORDS, 2)];
        const limit = random.pick([5, 50, 2_000]);
        const found = await graph.reader.keyword({ terms: queryTerms(words.join(' ')), filter, limit });
        const admitted = new Set(memories.filter((each) => admits(filter, each)).map((each) => each.id));
        expect(found.length, JSON.stringify({ filter, words, limit })).to.equal(Math.min(limit, admitted.size));
        expect(new Set(found).size).to.equal(found.length);
        expect(found.filter((id) => !admitted.has(id))).to.deep.equal([]);
      }
    });

    it('ranks a rare word above a very common word', async () => {
      const filter = {
        tags: null,
        within: null,
        excludeTags: [],
        start: null,
        end: null,
        excludedTypes: [],
        state: 'unarchived',
        now: day(15),
      } as const;
      const found = await graph.reader.keyword({ terms: queryTerms('note zeppelin'), filter, limit: 5 });
      expect(found[0]).to.equal(memoryId(MANY + 1));
      expect(found).to.have.length(5);
    });
  });
}
