/** How every graph deletes a memory with many associations: hidden at once, removed in batches. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { HUB_BATCH, HUB_SIZE } from '../../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../../support/adapters/graphs.js';
import { derived, enriched } from '../../../support/fixtures/enrichment-events.js';
import { associated, association, deleted, memory, memoryId, stored } from '../../../support/fixtures/memories.js';

const HUB = 100_000;
const NEIGHBOURS = 2 * HUB_BATCH + 100;
/** More associations than this must not be removed by one call. */
const IN_ONE_CALL = HUB_BATCH + HUB_SIZE;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`deleted hubs: ${adapter.name}`, function () {
    this.timeout(180_000);
    let graph: OpenGraph;
    beforeEach(async () => {
      graph = await adapter.open();
      const numbers = Array.from({ length: NEIGHBOURS }, (_, index) => index + 1);
      await apply(...[HUB, ...numbers].map((number) => stored(memory(number, { tags: ['all'] }))));
      await apply(...numbers.map(towardsHub));
    });
    afterEach(() => graph.close());

    const apply = (...events: RecordedEvent[]): Promise<void> => graph.writer.apply(events);
    /** Incoming, outgoing and derived associations. */
    const towardsHub = (number: number): RecordedEvent => {
      if (number % 3 === 0) return enriched(number, 2, [derived(HUB, { type: 'EXEMPLIFIES' })]);
      return associated(number % 3 === 1 ? association(number, HUB) : association(HUB, number));
    };
    const associations = async () => (await graph.reader.counts({ excludedTypes: [] })).associations;
    const related = async (number: number) =>
      (await graph.reader.relations({ ids: [memoryId(number)], direction: 'both', limit: 50 })).get(memoryId(number));
    async function clear(): Promise<void> {
      while (await graph.writer.clearHub());
    }

    it('hide the memory and its associations at once', async () => {
      await apply(deleted(HUB, 2));
      expect(await graph.reader.memories([memoryId(HUB)])).to.deep.equal([]);
      expect((await graph.reader.tombstones([memoryId(HUB)])).get(memoryId(HUB))?.version).to.equal(2);
      expect((await graph.reader.idsByTag({ tags: ['all'], after: memoryId(HUB - 1), limit: 5 })).length).to.equal(0);
      for (const number of [1, 2, 3, HUB]) expect(await related(number), `of ${number}`).to.deep.equal([]);
      const { source, type, target } = association(1, HUB);
      expect(await graph.reader.associations([{ source, type, target }])).to.deep.equal([]);
    });

    it('lose their associations in bounded batches', async () => {
      const left = [await associations()];
      await apply(deleted(HUB, 2));
      left.push(await associations());
      while (await graph.writer.clearHub()) left.push(await associations());
      const removed = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
      expect(left.at(-1)).to.equal(0);
      expect(Math.max(...removed)).to.be.within(1, IN_ONE_CALL);
      expect(await graph.writer.clearHub()).to.equal(false);
    });

    it('get no association after the deletion', async () => {
      await apply(deleted(HUB, 2), deleted(HUB, 2));
      const before = await associations();
      await apply(associated(association(1, HUB), 2), enriched(3, 3, [derived(HUB)]), stored(memory(HUB)));
      expect(await associations()).to.be.at.most(before);
      expect(await graph.reader.memories([memoryId(HUB)])).to.deep.equal([]);
      await clear();
      expect(await associations()).to.equal(0);
    });

    it('return without former associations, and keep new ones', async () => {
      await apply(deleted(HUB, 2));
      await graph.writer.clearHub();
      await apply(stored(memory(HUB, { content: 'second life' }), 3));
      expect(await related(HUB)).to.deep.equal([]);
      expect(await related(NEIGHBOURS)).to.deep.equal([]);
      await apply(associated(association(5, HUB, { type: 'PART_OF' })));
      await clear();
      expect((await related(HUB))?.map(({ type }) => type)).to.deep.equal(['PART_OF']);
      expect(await associations()).to.equal(1);
    });

    it('return without former associations in the same call', async () => {
      await apply(deleted(HUB, 2), stored(memory(HUB), 3), associated(association(5, HUB, { type: 'PART_OF' })));
      await clear();
      expect((await related(HUB))?.map(({ type }) => type)).to.deep.equal(['PART_OF']);
      expect(await associations()).to.equal(1);
    });

    it('are cleared by two callers at the same time, while neighbours change', async () => {
      await apply(deleted(HUB, 2));
      const changes = Array.from({ length: 50 }, (_, index) => associated(association(index + 1, NEIGHBOURS - index)));
      await Promise.all([clear(), clear(), ...changes.map((change) => apply(change))]);
      expect(await associations()).to.equal(changes.length);
    });
  });
}
