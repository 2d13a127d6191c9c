/** Records of entities, over every engine. */
import { expect } from 'chai';
import type { EntityRecord } from '../../../shared/contract/entities/entity.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { entityEvent, entityRecord } from '../../support/fixtures/entity-events.js';

for (const adapter of GRAPH_ADAPTERS) {
  describe(`records of entities: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => {
      graph = await adapter.open();
    });
    afterEach(() => graph.close());

    const apply = (...events: readonly RecordedEvent[]) => graph.writer.apply(events);
    const ann = (changes: Partial<EntityRecord> = {}) => entityRecord('people', 'ann', changes);
    const key = ({ category, slug }: EntityRecord) => ({ category, slug });

    it('are read by key with version and revision', async () => {
      const lee = entityRecord('people', 'lee', {
        aliases: ['li'],
        identity: 'A friend\u{1F600}',
        identity_version: 2,
      });
      await apply(entityEvent(lee, 1), entityEvent(ann(), 1));
      const wanted = [key(lee), key(ann()), { category: 'tools', slug: 'ann' }];
      expect(await graph.reader.entities(wanted)).to.deep.equal([
        { entity: ann(), version: 1, revision: 1 },
        { entity: lee, version: 1, revision: 1 },
      ]);
      expect(await graph.reader.entities([])).to.deep.equal([]);
    });

    it('keep the newest version, in any order and number of deliveries', async () => {
      const events = [1, 2, 3].map((version) => entityEvent(ann({ aliases: [`a${version}`] }), version));
      const [first, second, third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
      await apply(third, first);
      await apply(second, third);
      const [loaded] = await graph.reader.entities([key(ann())]);
      expect(loaded).to.deep.equal({ entity: ann({ aliases: ['a3'] }), version: 3, revision: 3 });
    });

    it('show the undo of a merge, with and without the events before it', async () => {
      const lee = { category: 'people', slug: 'lee' };
      const at = '2026-06-02T00:00:00+00:00';
      const undone = ann({ distinct_from: [{ ...lee, at }] });
      const merged = { ...entityEvent(ann({ merged_into: lee }), 1), type: 'entity.merged' } as RecordedEvent;
      await apply(entityEvent(undone, 2));
      await apply(merged, entityEvent(undone, 2));
      const bob = entityRecord('people', 'bob', { distinct_from: [{ ...lee, at }] });
      await apply({ ...entityEvent({ ...bob, merged_into: lee }, 1), type: 'entity.merged', data: null }); // erased
      await apply(entityEvent(bob, 2));
      expect(await graph.reader.entities([key(undone), key(bob)])).to.deep.equal([
        { entity: undone, version: 2, revision: 2 },
        { entity: bob, version: 2, revision: 2 },
      ]);
    });

    it('are read in pages, by key', async () => {
      const records = ['c', 'a', 'b'].map((slug) => entityRecord('tools', slug));
      await apply(...records.map((record) => entityEvent(record, 1)));
      const page = async (after: string) =>
        (await graph.reader.entityPage({ after, limit: 2 })).map(({ entity: { slug } }) => slug);
      expect([await page(''), await page('tools:b'), await page('tools:c')]).to.deep.equal([['a', 'b'], ['c'], []]);
    });
  });
}
