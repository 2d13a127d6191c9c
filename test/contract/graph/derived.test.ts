/**
 * How every graph stores derived associations: a new set replaces the set before, next to associations that callers
 * wrote.
 */
import { expect } from 'chai';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { associationsFrom, countAssociations, type Shown } from '../../support/checks/derived-associations.js';
import { derived, enriched } from '../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  deleted,
  memory,
  memoryId,
  stored,
  updated,
} from '../../support/fixtures/memories.js';

for (const adapter of GRAPH_ADAPTERS) {
  describe(`derived associations: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => (graph = await adapter.open()));
    after(() => graph.close());

    let first = 1;
    let countBefore: number;
    beforeEach(async () => {
      first += 10;
      countBefore = await associations();
      await graph.writer.apply([0, 1, 2].map((offset) => stored(memory(first + offset))));
    });

    const associations = (): Promise<number> => countAssociations(graph.reader);
    const added = async (): Promise<number> => (await associations()) - countBefore;
    const shown = (number: number, reader = graph.reader): Promise<readonly Shown[]> =>
      associationsFrom(number, reader);
    const edge = (type: string, strength: number, target: number) => [type, strength, memoryId(target)];

    it('are readable from both ends, with properties, and counted', async () => {
      await graph.writer.apply([
        enriched(first, 2, [
          derived(first + 1),
          derived(first + 2, { type: 'PRECEDED_BY', strength: 0.3, properties: { count: 1 } }),
        ]),
      ]);
      expect(await shown(first)).to.deep.equal([
        edge('PRECEDED_BY', 0.3, first + 2),
        edge('SIMILAR_TO', 0.9, first + 1),
      ]);
      const incoming = (await graph.reader.relations({ ids: [memoryId(first + 2)], direction: 'both', limit: 5 })).get(
        memoryId(first + 2),
      );
      expect(incoming?.[0]).to.deep.include({ type: 'PRECEDED_BY', direction: 'incoming', properties: { count: 1 } });
      expect(await added()).to.equal(2);
    });

    it('replace the set before, also with an empty set', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1), derived(first + 2)])]);
      await graph.writer.apply([
        enriched(first, 3, [derived(first + 2, { strength: 0.8 }), derived(first + 1, { type: 'PRECEDED_BY' })]),
      ]);
      expect(await shown(first)).to.deep.equal([
        edge('PRECEDED_BY', 0.9, first + 1),
        edge('SIMILAR_TO', 0.8, first + 2),
      ]);
      await graph.writer.apply([enriched(first, 4, [])]);
      expect([await shown(first), await added()]).to.deep.equal([[], 0]);
    });

    it('stay after a change of the memory without an enrichment', async () => {
      await graph.writer.apply([
        enriched(first, 2, [derived(first + 1)]),
        updated(memory(first, { content: 'other' }), 3),
      ]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 1)]);
    });

    it('are from the newest enrichment, in any order of events', async () => {
      await graph.writer.apply([
        updated(memory(first), 4),
        enriched(first, 3, [derived(first + 1)]),
        enriched(first, 2, [derived(first + 2)]),
      ]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 1)]);
      const [loaded] = await graph.reader.memories([memoryId(first)]);
      expect(loaded?.version).to.equal(4);
    });

    it('belong to one owner: two memories may derive each other', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1)]), enriched(first + 1, 2, [derived(first)])]);
      await graph.writer.apply([enriched(first, 3, [])]);
      expect([await shown(first), await shown(first + 1)]).to.deep.equal([[], [edge('SIMILAR_TO', 0.9, first)]]);
    });

    describe('next to an authored one', () => {
      const authored = () =>
        association(first, first + 1, { type: 'EXEMPLIFIES', strength: 0.2, properties: { pattern_type: 'said' } });
      const set = () => [derived(first + 1, { type: 'EXEMPLIFIES' }), derived(first + 2, { type: 'EXEMPLIFIES' })];

      for (const [title, order] of [
        ['before', [0, 1]],
        ['after', [1, 0]],
      ] as const) {
        it(`keep the authored one, written ${title}`, async () => {
          const events = [associated(authored()), enriched(first, 2, set())];
          for (const index of order) await graph.writer.apply(events.slice(index, index + 1));
          expect(await shown(first)).to.deep.equal([
            edge('EXEMPLIFIES', 0.2, first + 1),
            edge('EXEMPLIFIES', 0.9, first + 2),
          ]);
          expect(await graph.reader.associations([authored()])).to.deep.equal([
            { association: authored(), version: 1, revision: 1 },
          ]);
          expect(await added()).to.equal(2);
        });
      }

      it('keep it after any number of sets', async () => {
        await graph.writer.apply([
          enriched(first, 2, set()),
          associated(authored()),
          enriched(first, 3, set()),
          enriched(first, 4, []),
        ]);
        expect(await shown(first)).to.deep.equal([edge('EXEMPLIFIES', 0.2, first + 1)]);
      });
    });

    it('are not loaded for commands, because they have no version', async () => {
      await graph.writer.apply([enriched(first, 2, [derived(first + 1)])]);
      expect(await graph.reader.associations([association(first, first + 1, { type: 'SIMILAR_TO' })])).to.deep.equal(
        [],
      );
    });

    it('wait for a later target, and skip a deleted one', async () => {
      await graph.writer.apply([deleted(first + 1, 2), enriched(first, 2, [derived(first + 1), derived(first + 5)])]);
      expect(await shown(first)).to.deep.equal([]);
      await graph.writer.apply([stored(memory(first + 5)), stored(memory(first + 1))]);
      expect(await shown(first)).to.deep.equal([edge('SIMILAR_TO', 0.9, first + 5)]);
      expect(await added()).to.equal(1);
    });

    it('are deleted with either end', async () => {
      await graph.writer.apply([
        enriched(first, 2, [derived(first + 1), derived(first + 2)]),
        enriched(first + 2, 2, [derived(first)]),
      ]);
      await graph.writer.apply([deleted(first + 1, 2)]);
      expect([await shown(first), await added()]).to.deep.equal([[edge('SIMILAR_TO', 0.9, first + 2)], 2]);
      await graph.writer.apply([
        deleted(first, 3),
        enriched(first, 2, [derived(first + 2)]),
        enriched(first, 9, [derived(first + 2)]),
      ]);
      expect([await shown(first + 2), await added()]).to.deep.equal([[], 0]);
    });
  });
}
