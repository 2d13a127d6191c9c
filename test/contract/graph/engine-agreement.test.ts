/** The two graph engines return the same results for the same reads. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { TrendingOrder } from '../../../shared/ports/graph.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { randomFilter, randomMemories, some, WORDS } from '../../support/checks/reference-filter.js';
import { TRENDING_ORDERS } from '../../support/checks/trending-orders.js';
import { day, memory, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { isServerWanted } from '../../support/servers/servers.js';

const MEMORIES = 300;
const QUESTIONS = 60;
/**
 * Tags of characters with one and with two UTF-16 units, and with blanks; in the full-text index each is longer than
 * one word.
 */
const LONG = [
  ...['aa', '🦉', 'b 🦉']
    .map((start) => start.repeat(60))
    .flatMap((tag) => [tag, `${tag}x`, `${tag}y${'z'.repeat(70)}`]),
  `${'p'.repeat(120)}:${'q'.repeat(120)}`,
];
const OPEN: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};

if (isServerWanted('neo4j')) {
  describe('graph engines with the same memories', () => {
    const random = seededRandom(23);
    const long = LONG.map((tag, index) => memory(MEMORIES + 1 + index, { content: 'long note', tags: [tag] }));
    const memories = [...randomMemories(MEMORIES, random), ...long];
    let engines: readonly OpenGraph[] = [];
    before(async () => {
      engines = await Promise.all(GRAPH_ADAPTERS.map((adapter) => adapter.open()));
      for (const { writer } of engines) await writer.apply(memories.map((each) => stored(each)));
    });
    after(() => Promise.all(engines.map((engine) => engine.close())));

    async function expectSame<R>(question: object, ask: (engine: OpenGraph) => Promise<R>): Promise<R> {
      const [first, ...others] = await Promise.all(engines.map(ask));
      if (first === undefined || others.length === 0) throw new Error('There are no two engines to compare');
      for (const other of others) expect(other, JSON.stringify(question)).to.deep.equal(first);
      return first;
    }
    const someTags = (): string[] => [random.pick(memories).tags[0] ?? 'deploy', ...some(random, LONG, 2)];

    it('list the same memories by tags, in the same order', async () => {
      let found = 0;
      for (let round = 0; round < QUESTIONS; round += 1) {
        const within = random.pick([null, 'deploy', 'project']);
        const request = { tags: someTags(), within, offset: random.below(5), limit: 1 + random.below(20) };
        const page = await expectSame(request, ({ reader }) => reader.byTag(request));
        const after = page.memories[0]?.memory.id ?? '';
        const ids = await expectSame(request, ({ reader }) =>
          reader.idsByTag({ tags: request.tags, within, after, limit: 10 }),
        );
        found += page.memories.length + ids.length;
      }
      expect(found).to.be.greaterThan(QUESTIONS);
    });

    it('list the same memories by every order and filter', async () => {
      let found = 0;
      for (let round = 0; round < QUESTIONS; round += 1) {
        const request = {
          filter: randomFilter(random),
          order: random.pick(Object.keys(TRENDING_ORDERS) as TrendingOrder[]),
          limit: 1 + random.below(100),
        };
        found += (await expectSame(request, ({ reader }) => reader.trending(request))).length;
      }
      expect(found).to.be.greaterThan(QUESTIONS);
    });

    it('find the same memories by words for any filter', async () => {
      let found = 0;
      for (let round = 0; round < QUESTIONS; round += 1) {
        const terms = queryTerms(['note', random.pick(WORDS)].slice(random.below(2)).join(' '));
        const search = { terms, filter: randomFilter(random), limit: random.pick([10, memories.length]) };
        found += (await expectSame(search, ({ reader }) => reader.keyword(search))).length;
      }
      expect(found).to.be.greaterThan(QUESTIONS);
    });

    it('accept more filter values than an index query', async () => {
      const many = Array.from({ length: 1_500 }, (_, index) => `none ${index}`);
      const filter: MemoryFilter = {
        ...OPEN,
        tags: { values: [...many, 'deploy', 'ärger'], mode: 'any', match: 'exact' },
        excludedTypes: many,
      };
      const ids = await expectSame(filter, ({ reader }) => reader.keyword({ terms: ['note'], filter, limit: 200 }));
      expect(ids).to.not.be.empty;
      await expectSame(filter, ({ reader }) => reader.trending({ filter, order: 'importance', limit: 20 }));
    });

    it('distinguish tags longer than a word of the index', async () => {
      let found = 0;
      for (const tag of LONG) {
        for (const length of [99, 100, 101, 119, 149, 250]) {
          const beginning = [...tag].slice(0, length).join('').trimEnd();
          for (const filter of [
            { ...OPEN, excludeTags: [beginning] },
            ...(['exact', 'prefix'] as const).map((match) => ({
              ...OPEN,
              tags: { values: [tag, beginning], mode: 'any', match } as const,
            })),
          ]) {
            const search = { terms: ['long'], filter, limit: memories.length };
            found += (await expectSame(search, ({ reader }) => reader.keyword(search))).length;
          }
        }
      }
      expect(found).to.be.greaterThan(LONG.length);
    });
  });
}
