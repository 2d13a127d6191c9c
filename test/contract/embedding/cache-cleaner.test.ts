/** The cleaning of the embedding cache, over every cache. */
import { expect } from 'chai';
import { cleanCache, type CleanedCache } from '../../../projectors/jobs/cache-cleaner/cache-cleaner.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { type CacheEntry, embeddingRef, suppliedRef } from '../../../shared/ports/embedder.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import type { VectorSpace } from '../../../shared/ports/vector-spaces.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { numberedId } from '../../support/fixtures/events.js';
import { memory } from '../../support/fixtures/memories.js';

const RETENTION_MS = 1_000;
const VECTOR = Float32Array.of(1);
const SUPPLIED = suppliedRef(VECTOR);

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`cleaned embedding cache: ${adapter.name}`, () => {
    let opened: OpenJournal;
    let contents: Map<MemoryId, string>;
    let spaces: Pick<VectorSpace, 'state' | 'model'>[];
    beforeEach(async () => {
      opened = await adapter.open();
      contents = new Map();
      spaces = [{ state: 'active', model: 'm1' }];
    });
    afterEach(() => opened.close());

    const [ONE, TWO] = [numberedId(1), numberedId(2)];
    const refs = [embeddingRef('m1', 'old'), embeddingRef('m1', 'new'), embeddingRef('m2', 'new'), SUPPLIED] as const;
    const [OLD, NEW, NEW_OF_M2] = refs;
    const entry = (memoryId: MemoryId, ref: string): CacheEntry => ({ ref, memoryId, vector: VECTOR });
    const cached = async (): Promise<readonly string[]> => [...(await opened.cache.get([...refs])).keys()].sort();

    function pass(now: number, retentionMs = RETENTION_MS): Promise<CleanedCache> {
      const memories = async (ids: readonly MemoryId[]): Promise<readonly LoadedMemory[]> =>
        ids.flatMap((id) => {
          const content = contents.get(id);
          return content === undefined
            ? []
            : [{ memory: memory(1, { id, content }), vectorRef: null, version: 1, revision: 1, position: 1 }];
        });
      return cleanCache(
        {
          embeddingUses: opened.embeddingUses,
          graph: { memories },
          spaces: { list: async () => spaces.map((space) => ({ ...space, ...SPACE })) },
        },
        { now, retentionMs, signal: new AbortController().signal },
      );
    }

    it('loses the vector of an earlier content after its time', async () => {
      contents.set(ONE, 'new');
      await opened.cache.put([entry(ONE, OLD), entry(ONE, NEW)]);
      expect(await pass(5_000)).to.deep.equal({ used: 1, unused: 1, removed: 0 });
      expect(await pass(5_999)).to.deep.equal({ used: 1, unused: 1, removed: 0 });
      expect(await cached()).to.deep.equal([OLD, NEW].sort());
      expect(await pass(6_000)).to.deep.equal({ used: 1, unused: 0, removed: 1 });
      expect(await cached()).to.deep.equal([NEW]);
    });

    it('loses the vectors of a model without an index', async () => {
      contents.set(ONE, 'new');
      await opened.cache.put([entry(ONE, NEW), entry(ONE, NEW_OF_M2)]);
      spaces = [
        { state: 'active', model: 'm1' },
        { state: 'building', model: 'm2' },
      ];
      expect(await pass(5_000)).to.deep.equal({ used: 2, unused: 0, removed: 0 });
      spaces = [
        { state: 'previous', model: 'm1' },
        { state: 'active', model: 'm2' },
      ];
      await pass(6_000);
      await pass(7_000);
      expect(await cached()).to.deep.equal([NEW_OF_M2]);
    });

    it('starts the time again for a content that returned', async () => {
      contents.set(ONE, 'new');
      await opened.cache.put([entry(ONE, OLD), entry(ONE, NEW)]);
      await pass(5_000);
      contents.set(ONE, 'old');
      await pass(5_500);
      contents.set(ONE, 'new');
      expect(await pass(6_000)).to.deep.equal({ used: 1, unused: 1, removed: 0 });
      await opened.cache.put([entry(ONE, OLD)]);
      expect(await pass(7_000)).to.deep.equal({ used: 1, unused: 1, removed: 0 });
      expect(await cached()).to.deep.equal([OLD, NEW].sort());
    });

    it('keeps shared and supplied vectors, and those of missing memories', async () => {
      contents.set(ONE, 'new').set(TWO, 'old');
      await opened.cache.put([entry(ONE, OLD), entry(ONE, NEW), entry(ONE, SUPPLIED), entry(TWO, OLD)]);
      await opened.cache.put([entry(numberedId(3), NEW), entry(numberedId(3), NEW_OF_M2)]);
      await pass(5_000);
      expect(await pass(6_000)).to.deep.equal({ used: 5, unused: 0, removed: 1 });
      expect(await cached()).to.deep.equal([...refs].sort());
      await opened.cache.release([TWO]);
      expect(await cached()).to.not.include(OLD);
    });
  });
}

const SPACE = { number: 1, dimension: 1, target: null, position: 0 };
