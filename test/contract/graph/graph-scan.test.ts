/** The walk over the whole graph in pages, over every engine. */
import { expect } from 'chai';
import { type AssociationKey, associationSubject } from '../../../shared/contract/association.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
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

const MEMORIES = 25;
const PAGE = 7;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph scan: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => {
      graph = await adapter.open();
      const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);
      await graph.writer.apply(numbers.map((number) => stored(memory(number))));
      await graph.writer.apply(
        numbers
          .slice(1)
          .flatMap((number) => [
            associated(association(1, number)),
            associated(association(number, 1, { type: 'LEADS_TO', properties: {} })),
          ]),
      );
    });
    afterEach(() => graph.close());

    async function walkMemories(): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let page = await graph.scan.memories({ after: '', limit: PAGE }); page.length > 0;) {
        ids.push(...page.map((loaded) => loaded.memory.id));
        page = await graph.scan.memories({ after: ids.at(-1) ?? '', limit: PAGE });
      }
      return ids;
    }

    async function walkAssociations(): Promise<readonly AssociationKey[]> {
      const keys: AssociationKey[] = [];
      for (let page = await graph.scan.associations({ after: null, limit: PAGE }); page.length > 0;) {
        keys.push(...page.map((loaded) => loaded.association));
        page = await graph.scan.associations({ after: keys.at(-1) ?? null, limit: PAGE });
      }
      return keys;
    }

    it('counts the associations of some types in both directions', async () => {
      await graph.writer.apply([
        enriched(2, 2, [derived(3), derived(4, { type: 'EXEMPLIFIES' })]),
        associated(association(2, 3, { type: 'DISCOVERED', properties: {} })),
      ]);
      const ids = [1, 2, 3, 4, 99].map(memoryId);
      const types = ['RELATES_TO', 'LEADS_TO', 'SIMILAR_TO'] as const;
      expect(await graph.scan.degrees({ ids, types })).to.deep.equal(
        new Map([
          [memoryId(1), 2 * (MEMORIES - 1)],
          [memoryId(2), 3],
          [memoryId(3), 3],
          [memoryId(4), 2],
        ]),
      );
    });

    it('returns each present memory once, in order of ids, as a read by id does', async () => {
      await graph.writer.apply([deleted(3, 2)]);
      const expected = Array.from({ length: MEMORIES }, (_, index) => memoryId(index + 1)).filter(
        (id) => id !== memoryId(3),
      );
      expect(await walkMemories()).to.deep.equal(expected);
      const [first] = await graph.scan.memories({ after: '', limit: 1 });
      expect(first).to.deep.equal((await graph.reader.memories([memoryId(1)]))[0]);
    });

    it('returns each memory once, the newest first, then by id', async () => {
      const at = (number: number) => `2024-05-0${1 + (number % 3)}T00:00:00${number % 2 === 0 ? '' : '.500000'}+00:00`;
      const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);
      await graph.writer.apply(numbers.map((number) => updated(memory(number, { timestamp: at(number) }), 2)));
      await graph.writer.apply([deleted(4, 3)]);
      const expected = numbers
        .filter((number) => number !== 4)
        .sort((one, other) => (at(one) === at(other) ? one - other : at(one) < at(other) ? 1 : -1))
        .map(memoryId);
      const found: LoadedMemory[] = [];
      for (let page = await graph.scan.newest({ before: null, limit: PAGE }); page.length > 0;) {
        found.push(...page);
        const before = found.at(-1)?.memory ?? null;
        page = await graph.scan.newest({ before, limit: PAGE });
      }
      expect(found.map((loaded) => loaded.memory.id)).to.deep.equal(expected);
      expect(found[0]).to.deep.equal((await graph.reader.memories(expected.slice(0, 1)))[0]);
    });

    it('returns each association of callers once, as a read by key does', async () => {
      await graph.writer.apply([enriched(2, 2, [derived(5)])]);
      const keys = await walkAssociations();
      const names = keys.map(associationSubject);
      expect(new Set(names)).to.have.property('size', 2 * (MEMORIES - 1));
      expect(names).to.have.length(2 * (MEMORIES - 1));
      expect(keys.map(({ type }) => type)).to.not.include('SIMILAR_TO');
      const [first] = await graph.scan.associations({ after: null, limit: 1 });
      expect([first]).to.deep.equal(await graph.reader.associations(keys.slice(0, 1)));
    });

    it('returns no association of a deleted memory', async () => {
      await graph.writer.apply([deleted(1, 2)]);
      expect(await walkAssociations()).to.deep.equal([]);
    });
  });
}
