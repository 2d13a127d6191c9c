/** How every graph applies events: once, in order, late and twice. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { rejection } from '../../support/checks/rejection.js';
import { enriched } from '../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  day,
  deleted,
  erased,
  memory,
  memoryId,
  stored,
  updated,
} from '../../support/fixtures/memories.js';

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph apply: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const apply = (...events: RecordedEvent[]): Promise<void> => graph.writer.apply(events);
    const loaded = async (number: number) => (await graph.reader.memories([memoryId(number)]))[0];
    const counts = () => graph.reader.counts({ excludedTypes: [] });

    it('loads a stored memory with version, revision and vector reference', async () => {
      const whole = memory(1, {
        content: 'Überall "Zitate" \u0001 und 記憶',
        tags: ['A/b', 'c'],
        metadata: { deep: { list: [1, null, 'x'] } },
        t_valid: day(2),
        t_invalid: day(9),
        summary: 'short',
        archived: true,
        protected: true,
        relevance_score: 0.25,
      });
      await apply(stored(whole, 3));
      expect(await loaded(1)).to.deep.equal({ memory: whole, vectorRef: null, version: 3, revision: 3, position: 3 });
    });

    it('returns present memories in the order of the requested ids', async () => {
      await apply(stored(memory(1)), stored(memory(2)));
      const found = await graph.reader.memories([memoryId(2), memoryId(7), memoryId(1)]);
      expect(found.map((each) => each.memory.id)).to.deep.equal([memoryId(2), memoryId(1)]);
    });

    it('stays the same after a duplicate event', async () => {
      const events = [stored(memory(1, { tags: ['a'] })), stored(memory(2)), associated(association(1, 2))];
      await apply(...events);
      const before = [await loaded(1), await counts()];
      await apply(...events, ...events);
      expect([await loaded(1), await counts()]).to.deep.equal(before);
    });

    it('ignores an event that is not newer than the stored version', async () => {
      await apply(
        stored(memory(1)),
        updated(memory(1, { content: 'third' }), 3),
        updated(memory(1, { content: 'second' }), 2),
      );
      expect((await loaded(1))?.memory.content).to.equal('third');
      expect((await loaded(1))?.version).to.equal(3);
    });

    it('skips an event whose data was erased', async () => {
      await apply(stored(memory(1, { content: 'kept' })), erased(updated(memory(1), 2)));
      expect((await loaded(1))?.memory.content).to.equal('kept');
    });

    for (const newer of [
      { ...updated(memory(1, { content: 'half understood' }), 2), schemaVersion: 2 },
      { ...updated(memory(1, { content: 'half understood' }), 2), type: 'memory.merged' },
    ] as RecordedEvent[]) {
      it(`refuses ${newer.type} with schema ${newer.schemaVersion} of a newer release, and its group`, async () => {
        await apply(stored(memory(1)));
        const error = await rejection(apply(stored(memory(2)), newer));
        expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'graph', isReachable: true });
        expect(error).to.have.property('message').that.includes(`does not know the event ${newer.type}`);
        expect([(await loaded(1))?.version, await loaded(2)]).to.deep.equal([1, undefined]);
      });
    }

    it('keeps the position of the stored event, also of one without data', async () => {
      const at = (position: number, event: RecordedEvent): RecordedEvent => ({ ...event, position });
      const position = async (number: number) => (await loaded(number))?.position;
      await apply(at(5, stored(memory(1))), at(6, updated(memory(1), 2)), at(7, enriched(1, 3, [])));
      expect(await position(1)).to.equal(5);

      await apply(at(9, updated(memory(2), 2)));
      expect(await position(2)).to.equal(0);
      for (let delivery = 0; delivery < 2; delivery++) await apply(at(8, erased(stored(memory(2)))));
      expect(await position(2)).to.equal(8);
      await apply(at(10, erased(stored(memory(3)))), at(12, updated(memory(3), 2)));
      expect(await position(3)).to.equal(10);

      await apply(at(13, deleted(1, 4)), at(14, stored(memory(1), 5)), at(5, erased(stored(memory(1)))));
      expect(await position(1)).to.equal(14);
    });

    it('finds an updated memory only by its new words and tags', async () => {
      await apply(
        stored(memory(1, { content: 'apples', tags: ['fruit'] })),
        updated(memory(1, { content: 'bread', tags: ['grain'] }), 2),
      );
      const filter = {
        tags: null,
        within: null,
        excludeTags: [],
        start: null,
        end: null,
        excludedTypes: [],
        state: 'current',
        now: day(1),
      } as const;
      const search = (term: string) => graph.reader.keyword({ terms: [term], filter, limit: 5 });
      expect(await search('appl')).to.deep.equal([]);
      expect(await search('fruit')).to.deep.equal([]);
      expect(await search('bread')).to.deep.equal([memoryId(1)]);
      expect(await search('grain')).to.deep.equal([memoryId(1)]);
      expect((await graph.reader.byTag({ tags: ['fruit'], offset: 0, limit: 5 })).memories).to.deep.equal([]);
      expect((await graph.reader.byTag({ tags: ['grain'], offset: 0, limit: 5 })).memories).to.have.length(1);
    });

    it('moves a memory in the order of its tag when its importance changes', async () => {
      await apply(
        stored(memory(1, { tags: ['t'], importance: 0.1 })),
        stored(memory(2, { tags: ['t'], importance: 0.5 })),
      );
      await apply(updated(memory(1, { tags: ['t'], importance: 0.9 }), 2));
      const { memories } = await graph.reader.byTag({ tags: ['t'], offset: 0, limit: 5 });
      expect(memories.map((each) => each.memory.id)).to.deep.equal([memoryId(1), memoryId(2)]);
    });

    it('removes a deleted memory with its tags, words and associations', async () => {
      await apply(
        stored(memory(1, { content: 'apples', tags: ['t'] })),
        stored(memory(2)),
        associated(association(1, 2)),
        associated(association(2, 1)),
      );
      await apply(deleted(1, 2));
      expect(await loaded(1)).to.equal(undefined);
      expect(await graph.reader.idsByTag({ tags: ['t'], after: '', limit: 5 })).to.deep.equal([]);
      expect(
        (await graph.reader.relations({ ids: [memoryId(2)], direction: 'both', limit: 5 })).get(memoryId(2)),
      ).to.deep.equal([]);
      expect(await counts()).to.deep.equal({ memories: 1, associations: 0, unenriched: 1 });
    });

    it('keeps a memory deleted after late events of any version', async () => {
      await apply(stored(memory(1)), deleted(1, 3), updated(memory(1), 2), stored(memory(1)), updated(memory(1), 9));
      expect(await loaded(1)).to.equal(undefined);
    });

    it('restores a deleted memory with a newer stored event', async () => {
      const again = stored(memory(1, { content: 'stored again', tags: ['t'] }), 4);
      await apply(stored(memory(1)), deleted(1, 3));
      expect([...(await graph.reader.tombstones([memoryId(1), memoryId(2)]))]).to.deep.equal([
        [memoryId(1), { version: 3, revision: 3 }],
      ]);
      await apply(again, deleted(1, 3), again);
      expect(await loaded(1)).to.deep.include({ version: 4 });
      expect(await graph.reader.idsByTag({ tags: ['t'], after: '', limit: 5 })).to.deep.equal([memoryId(1)]);
      expect(await counts()).to.deep.equal({ memories: 1, associations: 0, unenriched: 1 });
      expect((await graph.reader.tombstones([memoryId(1)])).size).to.equal(0);
    });

    it('applies an early deletion, also after its data was erased', async () => {
      await apply(erased(deleted(1, 2)), stored(memory(1)));
      expect(await loaded(1)).to.equal(undefined);
      expect((await counts()).memories).to.equal(0);
    });

    it('ignores an association after the deletion of one of its ends', async () => {
      await apply(
        stored(memory(1)),
        stored(memory(2)),
        deleted(2, 2),
        associated(association(1, 2)),
        associated(association(2, 1), 4),
      );
      expect((await counts()).associations).to.equal(0);
      expect(await graph.reader.associations([association(1, 2), association(2, 1)])).to.deep.equal([]);
    });

    it('guards an association by its version', async () => {
      const older = association(1, 2, { strength: 0.1 });
      const newer = association(1, 2, { strength: 0.9, properties: { reason: 'because' }, updated_at: day(3) });
      await apply(stored(memory(1)), stored(memory(2)), associated(newer, 2), associated(older, 1));
      expect(await graph.reader.associations([newer])).to.deep.equal([{ association: newer, version: 2, revision: 2 }]);
      expect((await counts()).associations).to.equal(1);
    });

    it('moves last_accessed only forward, without a new version', async () => {
      await apply(stored(memory(1, { last_accessed: day(5) })), stored(memory(2, { last_accessed: day(5) })));
      await graph.writer.recordAccess([memoryId(1), memoryId(3)], day(7));
      await graph.writer.recordAccess([memoryId(2)], day(4));
      const [one, two] = await graph.reader.memories([memoryId(1), memoryId(2)]);
      expect([one?.memory.last_accessed, two?.memory.last_accessed]).to.deep.equal([day(7), day(5)]);
      expect([one?.version, one?.revision]).to.deep.equal([1, 1]);
    });

    it('keeps an access newer than an update, unless it sets last_accessed', async () => {
      await apply(stored(memory(1)));
      await graph.writer.recordAccess([memoryId(1)], day(7));
      await apply(updated(memory(1, { content: 'other' }), 2, ['content']));
      expect((await loaded(1))?.memory.last_accessed).to.equal(day(7));
      await apply(updated(memory(1, { last_accessed: day(2) }), 3, ['last_accessed']));
      expect((await loaded(1))?.memory.last_accessed).to.equal(day(2));
    });

    it('counts present and unenriched memories without excluded types', async () => {
      await apply(
        stored(memory(1)),
        stored(memory(2, { type: 'MetaPattern' })),
        stored(memory(3, { enriched: true })),
        stored(memory(4)),
      );
      await apply(updated(memory(4, { type: 'Decision', enriched: true }), 2), deleted(1, 2));
      expect(await counts()).to.deep.equal({ memories: 3, associations: 0, unenriched: 1 });
      expect(await graph.reader.counts({ excludedTypes: ['MetaPattern', 'Insight'] })).to.deep.equal({
        memories: 2,
        associations: 0,
        unenriched: 0,
      });
    });
  });
}
