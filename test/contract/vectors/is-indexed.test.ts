/** The check that the index has every event up to a position, over every journal: by saved positions, then by the points. */
import { expect } from 'chai';
import { createIsIndexed } from '../../../query-api/consistency/is-indexed.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`isIndexed: ${adapter.name}`, () => {
    let opened: OpenJournal;
    let positions: readonly number[];
    beforeEach(async () => {
      opened = await adapter.open();
      const events = await opened.append([stored(1), stored(2), associated(1, 2), updated(1, 2), deleted(2, 2)]);
      positions = events.map(({ position }) => position);
    });
    afterEach(() => opened.close());

    /** `through`: the number of the last event, from 1. */
    async function isIndexed(points: Readonly<Record<number, number>>, through: number, indexed = 0): Promise<boolean> {
      const versions = new Map(
        Object.entries(points).map(([number, version]) => [numberedId(Number(number)), version]),
      );
      const ask = async (ids: readonly MemoryId[]) => new Map([...versions].filter(([id]) => ids.includes(id)));
      return createIsIndexed({ journal: opened.journal, vectors: { versions: ask } })(
        indexed,
        positions[through - 1] ?? -1,
      );
    }

    it('trusts the saved positions of the indexers', async () => {
      expect(await isIndexed({}, 3, positions[2])).to.equal(true);
      expect(await isIndexed({}, 3, positions[4])).to.equal(true);
    });

    it('reads the points after the saved positions', async () => {
      expect(await isIndexed({ 1: 1 }, 1)).to.equal(true);
      expect(await isIndexed({}, 1)).to.equal(false);
      expect(await isIndexed({ 1: 1 }, 2)).to.equal(false);
      expect(await isIndexed({ 1: 2, 2: 1 }, 4)).to.equal(true);
      expect(await isIndexed({ 1: 1, 2: 1 }, 4)).to.equal(false);
      expect(await isIndexed({ 1: 2 }, 4, positions[1]), 'saved positions are not read again').to.equal(true);
    });

    it('counts a deletion as indexed when the point is gone', async () => {
      expect(await isIndexed({ 1: 2 }, 5)).to.equal(true);
      expect(await isIndexed({ 1: 2, 2: 1 }, 5)).to.equal(false);
    });

    it('reads no points for association events', async () => {
      expect(await isIndexed({}, 3, positions[1])).to.equal(true);
    });

    it('returns false while the index does not answer', async () => {
      const versions = () => Promise.reject(new DependencyError('vectors', 'down'));
      expect(await createIsIndexed({ journal: opened.journal, vectors: { versions } })(0, 1)).to.equal(false);
    });

    it('uses only the saved positions when too many events follow', async () => {
      const many = await opened.append(Array.from({ length: 250 }, (_, index) => stored(index + 10)));
      const versions = async (ids: readonly MemoryId[]) => new Map(ids.map((id) => [id, 9]));
      const last = many.at(-1)?.position ?? -1;
      const ask = createIsIndexed({ journal: opened.journal, vectors: { versions } });
      expect(await ask(positions[4] ?? -1, last)).to.equal(false);
      expect(await ask(many[50]?.position ?? -1, last)).to.equal(true);
    });
  });
}
