/** The search for memories just before and after given moments, over every graph. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { Memory, Timestamp } from '../../../shared/contract/memory.js';
import { ADJACENT_TESTED, type AdjacentHits, type Anchor } from '../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { admits, randomFilter, randomMemories } from '../../support/checks/reference-filter.js';
import { TRENDING_ORDERS } from '../../support/checks/trending-orders.js';
import { day, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const ALL: MemoryFilter = {
  tags: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: day(200),
};
const minute = (count: number): Timestamp =>
  `2024-05-01T${String(10 + Math.floor(count / 60)).padStart(2, '0')}:${String(count % 60).padStart(2, '0')}:00+00:00`;
const anchorAt = (at: Timestamp, fields: Partial<Anchor> = {}): Anchor => ({
  at,
  from: minute(0),
  until: minute(600),
  tag: null,
  ...fields,
});

for (const adapter of GRAPH_ADAPTERS) {
  describe(`adjacent memories: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const store = (...memories: Memory[]): Promise<void> => graph.writer.apply(memories.map((each) => stored(each)));
    async function find(anchors: readonly Anchor[], filter = ALL, limit = 2): Promise<readonly AdjacentHits[]> {
      const { adjacent } = await graph.reader.search({
        keyword: [],
        metadata: [],
        adjacent: [{ anchors, filter, limit }],
      });
      return adjacent[0] ?? [];
    }
    const ids = (...numbers: number[]) => numbers.map(memoryId);

    it('are the nearest on both sides of each anchor', async () => {
      await store(...[1, 2, 3, 4, 5].map((number) => memory(number, { timestamp: minute(number) })));
      await store(memory(6, { timestamp: minute(3) }));
      expect(await find([anchorAt(minute(3)), anchorAt(minute(1))])).to.deep.equal([
        { before: ids(2, 1), after: ids(4, 5) },
        { before: [], after: ids(2, 3) },
      ]);
      expect(await find([anchorAt(minute(3))], ALL, 1)).to.deep.equal([{ before: ids(2), after: ids(4) }]);
    });

    it('are within the bounds of the anchor', async () => {
      await store(...[1, 2, 3, 4, 5].map((number) => memory(number, { timestamp: minute(number) })));
      const bounds = { from: minute(2), until: minute(4) };
      expect(await find([anchorAt(minute(3), bounds)])).to.deep.equal([{ before: ids(2), after: ids(4) }]);
    });

    it('have the tag of the anchor as a whole tag, in any letter case', async () => {
      await store(
        memory(1, { timestamp: minute(1), tags: ['Chat:A'] }),
        memory(2, { timestamp: minute(2), tags: ['chat:a:part'] }),
        memory(3, { timestamp: minute(4), tags: ['chat:b'] }),
        memory(4, { timestamp: minute(5), tags: ['chat:a'] }),
      );
      expect(await find([anchorAt(minute(3), { tag: 'chat:a' }), anchorAt(minute(3))])).to.deep.equal([
        { before: ids(1), after: ids(4) },
        { before: ids(2, 1), after: ids(3, 4) },
      ]);
    });

    it('are tested only up to ADJACENT_TESTED on each side', async () => {
      const others = Array.from({ length: ADJACENT_TESTED }, (_, index) => index + 1);
      await store(...others.map((number) => memory(number, { timestamp: minute(number), tags: ['other'] })));
      const behind = memory(900, { timestamp: minute(ADJACENT_TESTED + 1), tags: ['wanted'] });
      await store(behind);
      const filter: MemoryFilter = { ...ALL, tags: { values: ['wanted'], mode: 'any', match: 'exact' } };
      expect(await find([anchorAt(minute(0)), anchorAt(minute(1))], filter)).to.deep.equal([
        { before: [], after: [] },
        { before: [], after: [behind.id] },
      ]);
    });

    it('obey every filter', async () => {
      const random = seededRandom(11);
      const memories = randomMemories(40, random);
      await store(...memories);
      let found = 0;
      for (let round = 0; round < 60; round += 1) {
        const filter = randomFilter(random);
        const at = random.pick(memories).timestamp;
        const admitted = memories.filter((each) => admits(filter, each));
        const expected = {
          before: admitted.filter(({ timestamp }) => timestamp < at).sort(TRENDING_ORDERS.time_desc),
          after: admitted.filter(({ timestamp }) => timestamp > at).sort(TRENDING_ORDERS.time_asc),
        };
        const anchor = anchorAt(at, { from: '0000' as Timestamp, until: '9999' as Timestamp });
        expect(await find([anchor], filter), JSON.stringify({ filter, at })).to.deep.equal([
          {
            before: expected.before.slice(0, 2).map(({ id }) => id),
            after: expected.after.slice(0, 2).map(({ id }) => id),
          },
        ]);
        found += expected.before.length + expected.after.length;
      }
      expect(found).to.be.greaterThan(60);
    });
  });
}
