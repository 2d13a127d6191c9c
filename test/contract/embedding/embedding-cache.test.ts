/** The contract of every embedding cache. */
import { expect } from 'chai';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { numberedId } from '../../support/fixtures/events.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`embedding cache contract: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    const entry = (ref: string, number: number, ...values: number[]) => ({
      ref,
      memoryId: numberedId(number),
      vector: Float32Array.from(values),
    });

    it('returns exact vectors, and leaves out unknown references', async () => {
      await opened.cache.put([entry('a', 1, 0.1, -2, 3e-8), entry('b', 1, 1)]);
      const found = await opened.cache.get(['b', 'absent', 'a']);
      expect(found).to.deep.equal(
        new Map([
          ['a', Float32Array.of(0.1, -2, 3e-8)],
          ['b', Float32Array.of(1)],
        ]),
      );
    });

    it('stores a vector that is a part of a larger buffer', async () => {
      await opened.cache.put([{ ...entry('a', 1), vector: Float32Array.of(1, 2, 3, 4).subarray(1, 3) }]);
      expect((await opened.cache.get(['a'])).get('a')).to.deep.equal(Float32Array.of(2, 3));
    });

    it('changes nothing when a reference is written again', async () => {
      await opened.cache.put([entry('a', 1, 1)]);
      await opened.cache.put([entry('a', 1, 2)]);
      expect((await opened.cache.get(['a'])).get('a')).to.deep.equal(Float32Array.of(1));
    });

    it('replaces a vector on request and adds its users', async () => {
      await opened.cache.put([entry('a', 1, 1)]);
      await opened.cache.put([entry('a', 2, 2), entry('b', 2, 3)], { replace: true });
      await opened.cache.release([numberedId(1)]);
      expect(await opened.cache.get(['a', 'b'])).to.deep.equal(
        new Map([
          ['a', Float32Array.of(2)],
          ['b', Float32Array.of(3)],
        ]),
      );
    });

    it('drops an entry with the last memory that uses it', async () => {
      await opened.cache.put([entry('a', 1, 1), entry('a', 2, 1), entry('b', 1, 1)]);
      await opened.cache.release([numberedId(1)]);
      expect([...(await opened.cache.get(['a', 'b'])).keys()]).to.deep.equal(['a']);
      await opened.cache.release([numberedId(1), numberedId(2)]);
      expect((await opened.cache.get(['a', 'b'])).size).to.equal(0);
    });

    it('accepts empty lists to get, to put and to release', async () => {
      await opened.cache.put([]);
      await opened.cache.release([]);
      expect((await opened.cache.get([])).size).to.equal(0);
    });
  });
}
