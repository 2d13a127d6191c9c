/** Searches of every graph by words, by tags and in every order, under every filter. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { TrendingOrder } from '../../../shared/ports/graph.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { admits, randomFilter, randomMemories, some, WORDS } from '../../support/checks/reference-filter.js';
import { TRENDING_ORDERS } from '../../support/checks/trending-orders.js';
import { day, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const MEMORIES = 400;
const FILTERS = 150;
const TAG_KEYS = ['project', 'project:foo', 'pro', 'deploy', 'deploy:eu west', 'ärger', 'unknown'] as const;
const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph search: ${adapter.name}`, () => {
    const random = seededRandom(7);
    const memories = randomMemories(MEMORIES, random);
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply(memories.map((each) => stored(each)));
    });
    after(() => graph.close());

    it('lists the newest memories of each of many windows', async () => {
      const { tags: _tags, excludeTags: _excluded, start: _start, end: _end, ...filter } = ALL;
      const windows = Array.from({ length: 20 }, () => {
        const first = random.below(20);
        return { start: day(first), end: day(first + random.below(4)) };
      });
      const listed = await graph.reader.newestWithin({ windows, filter, limit: 5 });
      const expected = await Promise.all(
        windows.map((window) => graph.reader.trending({ filter: { ...ALL, ...window }, order: 'time_desc', limit: 5 })),
      );
      expect(listed).to.deep.equal(expected);
      expect(listed.filter((ids) => ids.length === 5)).to.have.length.above(0);
      expect(await graph.reader.newestWithin({ windows: [], filter, limit: 5 })).to.deep.equal([]);
    });

    it('lists the memories that any filter admits, in every order', async () => {
      let found = 0;
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const order = random.pick(Object.keys(TRENDING_ORDERS) as TrendingOrder[]);
        const limit = random.pick([1, 10, MEMORIES]);
        const expected = memories
          .filter((each) => admits(filter, each))
          .sort(TRENDING_ORDERS[order])
          .slice(0, limit)
          .map((each) => each.id);
        expect(
          await graph.reader.trending({ filter, order, limit }),
          JSON.stringify({ filter, order, limit }),
        ).to.deep.equal(expected);
        found += expected.length;
      }
      expect(found).to.be.greaterThan(FILTERS);
    });

    it('lists the most important memories of each tag under any filter', async () => {
      let found = 0;
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const tags = [...new Set([random.pick(TAG_KEYS), random.pick(TAG_KEYS)])];
        const limit = random.pick([1, 10, MEMORIES]);
        const top = (tag: string) =>
          memories
            .filter((each) => each.tag_prefixes.includes(tag) && admits(filter, each))
            .sort(TRENDING_ORDERS.importance)
            .slice(0, limit)
            .map((each) => each.id);
        const expected = new Map(tags.map((tag) => [tag, top(tag)]));
        expect(
          await graph.reader.topByTag({ tags, filter, limit }),
          JSON.stringify({ tags, filter, limit }),
        ).to.deep.equal(expected);
        found += [...expected.values()].flat().length;
      }
      expect(found).to.be.greaterThan(FILTERS);
    });

    it('finds admitted memories by any of the words, up to the limit', async () => {
      let found = 0;
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random);
        const words = [random.pick(WORDS), ...some(random, WORDS, 2)];
        const search = { terms: queryTerms(words.join(' ')), filter, limit: MEMORIES };
        const expected = memories
          .filter((each) => admits(filter, each) && words.some((word) => each.content.includes(word)))
          .map((each) => each.id);
        const all = await graph.reader.keyword(search);
        expect([...all].sort(), JSON.stringify(search)).to.deep.equal(expected.sort());
        expect(await graph.reader.keyword({ ...search, limit: 5 })).to.deep.equal(all.slice(0, 5));
        found += expected.length;
      }
      expect(found).to.be.greaterThan(FILTERS);
    });
  });

  describe(`graph words: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const store = (...memories: Memory[]): Promise<void> => graph.writer.apply(memories.map((each) => stored(each)));
    const find = (query: string): Promise<readonly MemoryId[]> =>
      graph.reader.keyword({ terms: queryTerms(query), filter: ALL, limit: 10 });

    it('ranks more and rarer words first, and content above tags', async () => {
      const common = Array.from({ length: 20 }, (_, index) =>
        memory(100 + index, { content: `harbour report of day ${index}` }),
      );
      await store(
        ...common,
        memory(1, { content: 'harbour report on zeppelins' }),
        memory(2, { content: 'a report on zeppelins of any kind, and much else besides' }),
      );
      expect((await find('harbour zeppelins')).slice(0, 2)).to.deep.equal([memoryId(1), memoryId(2)]);
      await store(
        memory(3, { content: 'quokka seen', tags: ['day'] }),
        memory(4, { content: 'day seen', tags: ['quokka'] }),
      );
      expect(await find('quokka')).to.deep.equal([memoryId(3), memoryId(4)]);
    });

    it('treats the syntax of the query language as words', async () => {
      await store(memory(1, { content: 'plain words near each other' }));
      for (const term of [
        '"',
        "'",
        '"*',
        'near(',
        'AND',
        'NOT',
        '*',
        '^',
        'content:plain',
        '-',
        '+',
        ')',
        '\\',
        '; DROP TABLE memories',
        '\0',
        '%',
        '_',
        '/x/',
        'a~2',
        '{content}',
      ]) {
        expect(await graph.reader.keyword({ terms: [term], filter: ALL, limit: 10 }), term).to.deep.equal([]);
      }
      expect(await graph.reader.keyword({ terms: ['"', 'plain'], filter: ALL, limit: 10 })).to.deep.equal([
        memoryId(1),
      ]);
    });

    it('finds no memory by the stored form of its tags', async () => {
      await store(memory(1, { tags: ['deploy/eu west'] }));
      for (const term of ['0deploy/eu%20.west', '1deploy', '1deploy:eu%20.west']) {
        expect(await graph.reader.keyword({ terms: [term], filter: ALL, limit: 10 }), term).to.deep.equal([]);
      }
    });

    for (const [content, query] of [
      ['Fehler ERR_CONN_RESET beim Deploy', 'err_conn_reset'],
      ['see src/app/main.ts', 'main.ts'],
      ['issue PAY-1234 is closed', 'PAY-1234'],
      ['我们决定使用数据库', '数据库'],
      ['東京都で会議をした', '東京'],
      ['اجتماع الفريق غدا', 'الفريق'],
      ['การประชุมที่กรุงเทพ', 'กรุงเทพ'],
      ['das Straßenfest in Köln', 'strassenfest koln'],
      ['deploying services', 'deployed'],
      ['हिन्दी में लिखा', 'हिन्दी'],
    ] as const) {
      it(`finds "${content}" by "${query}"`, async () => {
        await store(memory(1, { content }), memory(2, { content: 'something else' }));
        expect(await find(query)).to.deep.equal([memoryId(1)]);
      });
    }

    it('fills the limit under a narrow filter with hits of low relevance', async () => {
      const many = Array.from({ length: 300 }, (_, index) => memory(index + 1, { content: 'harbour '.repeat(9) }));
      const last = memory(999, {
        content: 'one harbour among very many other words that weigh it down',
        tags: ['rare'],
        timestamp: day(20),
      });
      await store(...many, last);
      const search = { terms: queryTerms('harbour'), limit: 1 };
      const tags = { values: ['RARE'], mode: 'any', match: 'prefix' } as const;
      expect(await graph.reader.keyword({ ...search, filter: { ...ALL, tags } })).to.deep.equal([last.id]);
      expect(await graph.reader.keyword({ ...search, filter: { ...ALL, start: day(20) } })).to.deep.equal([last.id]);
    });
  });
}
