/** The promises of every vector index: exact under every filter, guarded by versions, durable. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { PoisonError, ValidationError } from '../../../shared/kernel/errors.js';
import { tagPrefixes } from '../../../shared/text/tags.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { filter, point } from '../../support/fixtures/points.js';

const EVERYTHING = filter({ state: 'unarchived' });
const X = Float32Array.of(1, 0, 0);
const Y = Float32Array.of(0, 1, 0);

for (const adapter of VECTOR_ADAPTERS) {
  describe(`vector index: ${adapter.name}`, () => {
    let opened: OpenIndex;
    beforeEach(async () => (opened = await adapter.open(3)));
    afterEach(() => opened.close());
    const idsFor = async (
      vector: Float32Array,
      limit = 10,
      wanted: MemoryFilter = EVERYTHING,
    ): Promise<readonly string[]> => (await opened.index.search({ vector, limit, filter: wanted })).map(({ id }) => id);

    it('replies to a ping, and returns no hits while empty', async () => {
      await opened.index.ping();
      expect(await idsFor(X)).to.deep.equal([]);
      expect(await opened.index.count({ excludedTypes: [] })).to.equal(0);
    });

    it('finds the nearest by cosine for vectors of any length, best first', async () => {
      await opened.index.upsert([
        point(1, { vector: Float32Array.of(0, 9, 0) }),
        point(2, { vector: Float32Array.of(0.2, 0.1, 0) }),
        point(3, { vector: Float32Array.of(-5, 0, 0) }),
      ]);
      const hits = await opened.index.search({ vector: Float32Array.of(7, 0, 0), limit: 3, filter: EVERYTHING });
      expect(hits.map(({ id }) => id)).to.deep.equal([memoryId(2), memoryId(1), memoryId(3)]);
      expect(hits[0]?.similarity).to.be.closeTo(2 / Math.sqrt(5), 1e-6);
      expect(hits[2]?.similarity).to.be.closeTo(-1, 1e-6);
    });

    it('breaks ties by id, also at the limit', async () => {
      await opened.index.upsert([5, 3, 9, 1, 7].map((number) => point(number)));
      expect(await idsFor(X, 3)).to.deep.equal([1, 3, 5].map(memoryId));
    });

    it('returns a newer version immediately and ignores an older one', async () => {
      await opened.index.upsert([point(1, { version: 2 })]);
      await opened.index.upsert([point(1, { version: 3, vector: Y, payload: { type: 'Decision' } })]);
      await opened.index.upsert([point(1, { version: 2, vector: X })]);
      const [hit] = await opened.index.search({ vector: Y, limit: 1, filter: EVERYTHING });
      expect(hit?.similarity).to.be.closeTo(1, 1e-6);
      expect(await opened.index.count({ excludedTypes: ['Decision'] })).to.equal(0);
      expect(await opened.index.versions([memoryId(1), memoryId(2)])).to.deep.equal(new Map([[memoryId(1), 3]]));
    });

    it('keeps the newest of several versions in one call', async () => {
      await opened.index.upsert([
        point(1, { version: 2, vector: Y }),
        point(1, { version: 4, vector: X }),
        point(1, { version: 3, vector: Y }),
      ]);
      expect(await opened.index.versions([memoryId(1)])).to.deep.equal(new Map([[memoryId(1), 4]]));
    });

    it('removes a point and ignores a late older upsert', async () => {
      await opened.index.upsert([point(1, { version: 1 }), point(2)]);
      await opened.index.remove([{ id: memoryId(1), version: 3 }]);
      await opened.index.upsert([point(1, { version: 2 })]);
      expect(await idsFor(X)).to.deep.equal([memoryId(2)]);
      expect(await opened.index.count({ excludedTypes: [] })).to.equal(1);
      expect(await opened.index.versions([memoryId(1)])).to.deep.equal(new Map());
    });

    it('remembers the removal of an unknown memory, ignores an older one', async () => {
      await opened.index.remove([{ id: memoryId(1), version: 2 }]);
      await opened.index.upsert([point(1, { version: 1 }), point(2, { version: 5 })]);
      await opened.index.remove([{ id: memoryId(2), version: 4 }]);
      expect(await idsFor(X)).to.deep.equal([memoryId(2)]);
    });

    it('takes a newer point of a removed memory', async () => {
      await opened.index.upsert([point(1)]);
      await opened.index.remove([{ id: memoryId(1), version: 2 }]);
      await opened.index.upsert([point(1, { version: 3 })]);
      expect(await idsFor(X)).to.deep.equal([memoryId(1)]);
      expect(await opened.index.count({ excludedTypes: [] })).to.equal(1);
    });

    it('returns the newest of racing writes', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => opened.index.upsert([point(1, { version: ((index * 7) % 20) + 1 })])),
      );
      expect(await opened.index.versions([memoryId(1)])).to.deep.equal(new Map([[memoryId(1), 20]]));
    });

    it('keeps all points over a restart', async () => {
      await opened.index.upsert(
        Array.from({ length: 1_200 }, (_, index) => point(index, { vector: Float32Array.of(1, index, 0) })),
      );
      await opened.index.remove([{ id: memoryId(0), version: 2 }]);
      const before = await idsFor(X, 50);
      opened = await opened.reopen();
      expect(await opened.index.count({ excludedTypes: [] })).to.equal(1_199);
      expect(await idsFor(X, 50)).to.deep.equal(before);
      await opened.index.upsert([point(0, { version: 1 })]);
      expect(await idsFor(X, 1)).to.deep.equal([memoryId(1)]);
    });

    it('rejects points of another dimension, with the variable to set', async () => {
      await opened.index.upsert([point(1)]);
      const error = await opened.reopen(4).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(String(error)).to.contain('VECTOR_SIZE=3');
    });

    it('reuses the slots of removed points without mixing points', async () => {
      await opened.index.upsert([point(1, { payload: { tags: ['old'], tagPrefixes: ['old'] } }), point(2)]);
      await opened.index.remove([{ id: memoryId(1), version: 2 }]);
      await opened.index.upsert([point(3, { vector: Y })]);
      expect(await idsFor(Y)).to.deep.equal([memoryId(3), memoryId(2)]);
      expect(await idsFor(Y, 10, filter({ tags: { values: ['old'], mode: 'any', match: 'exact' } }))).to.deep.equal([]);
    });

    it('rejects a query of another dimension, not finite, or all zero', async () => {
      const refusal = async (vector: Float32Array): Promise<unknown> =>
        opened.index.search({ vector, limit: 1, filter: EVERYTHING }).then(
          () => 'resolved',
          (error: unknown) => error,
        );
      expect(await refusal(Float32Array.of(1, 2)))
        .to.be.instanceOf(ValidationError)
        .with.property('message', 'Embedding must contain exactly 3 values');
      expect(await refusal(Float32Array.of(1, NaN, 0))).to.be.instanceOf(ValidationError);
      expect(await refusal(new Float32Array(3))).to.be.instanceOf(ValidationError);
    });

    it('rejects an invalid vector as poison with its memory, writes nothing', async () => {
      for (const bad of [
        Float32Array.of(1, 2),
        Float32Array.of(1, Infinity, 0),
        Float32Array.of(NaN, 1, 0),
        new Float32Array(3),
      ]) {
        const error = await opened.index.upsert([point(1), point(2, { vector: bad })]).then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).to.be.instanceOf(PoisonError);
        expect(String(error)).to.contain(memoryId(2));
      }
      expect(await opened.index.count({ excludedTypes: [] })).to.equal(0);
    });

    it('counts points without the excluded types', async () => {
      await opened.index.upsert([
        point(1, { payload: { type: 'MetaPattern' } }),
        point(2),
        point(3, { payload: { archived: true } }),
      ]);
      expect(await opened.index.count({ excludedTypes: ['MetaPattern'] })).to.equal(2);
    });

    it('includes both bounds of a time window, to the microsecond', async () => {
      const times = [
        '2024-06-01T00:00:00+00:00',
        '2024-06-01T00:00:00.000001+00:00',
        '2024-06-01T00:00:00.500000+00:00',
        '2024-06-01T00:00:01+00:00',
      ];
      await opened.index.upsert(times.map((timestamp, index) => point(index, { payload: { timestamp } })));
      const within = filter({ start: times[1] ?? null, end: times[2] ?? null });
      expect(await idsFor(X, 10, within)).to.deep.equal([memoryId(1), memoryId(2)]);
    });

    it('reads / as : in prefixes, ignores case, excludes by tag prefixes', async () => {
      const tagged = ['Project/Foo:Bar', 'deploy', 'project:foobar'].map((tag, index) =>
        point(index, { payload: { tags: [tag], tagPrefixes: tagPrefixes([tag]) } }),
      );
      await opened.index.upsert(tagged);
      const byTag = (values: string[], match: 'prefix' | 'exact') =>
        idsFor(X, 10, filter({ tags: { values, mode: 'any', match } }));
      expect(await byTag(['PROJECT:foo'], 'prefix')).to.deep.equal([memoryId(0)]);
      expect(await byTag(['project/foo'], 'prefix')).to.deep.equal([memoryId(0)]);
      expect(await byTag(['project/foo:BAR'], 'exact')).to.deep.equal([memoryId(0)]);
      expect(await byTag(['project'], 'exact')).to.deep.equal([]);
      expect(await idsFor(X, 10, filter({ excludeTags: ['DEP'] }))).to.deep.equal([memoryId(0), memoryId(2)]);
      expect(await idsFor(X, 10, filter({ excludeTags: ['project/foo'] }))).to.deep.equal([memoryId(1)]);
      expect(await idsFor(X, 10, filter({ excludeTags: ['project:foo:'] }))).to.deep.equal([memoryId(1), memoryId(2)]);
    });
  });
}
