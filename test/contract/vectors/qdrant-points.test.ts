/** Further properties of points in a real Qdrant, beyond the contract of all vector indexes. */
import { expect } from 'chai';
import type { QdrantVectorIndex } from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import type { QdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { tagPrefixes } from '../../../shared/text/tags.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { filter, point, referenceSearch } from '../../support/fixtures/points.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../../support/servers/qdrant.js';
import { isServerWanted } from '../../support/servers/servers.js';

const X = Float32Array.of(1, 0, 0);

if (isServerWanted('qdrant')) {
  describe('Qdrant points', () => {
    let config: QdrantConfig;
    let index: QdrantVectorIndex;
    beforeEach(async () => {
      config = qdrantTestConfig();
      index = await openQdrantIndex(config);
    });
    afterEach(() => dropCollections(config));

    it('end at their newest version or removal after races of four writers', async () => {
      const { next: random, pick } = seededRandom(6_333);
      const writers = await Promise.all(Array.from({ length: 4 }, () => openQdrantIndex(config)));
      const writes = Array.from({ length: 400 }, () => ({
        number: Math.floor(random() * 20),
        isRemoval: random() < 0.3,
      })).map((write, at) => ({ ...write, version: at + 1 }));
      const shuffled = writes
        .map((write) => ({ write, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ write }) => write);
      const groups = Array.from({ length: 80 }, (_, at) => shuffled.slice(at * 5, at * 5 + 5));
      await Promise.all(
        groups.flatMap((group) => {
          const writer = pick(writers);
          const removals = group
            .filter(({ isRemoval }) => isRemoval)
            .map(({ number, version }) => ({ id: memoryId(number), version }));
          const points = group
            .filter(({ isRemoval }) => !isRemoval)
            .map(({ number, version }) => point(number, { version }));
          return [writer.remove(removals), writer.upsert(points)];
        }),
      );
      const last = new Map(writes.map(({ number, version, isRemoval }) => [memoryId(number), { version, isRemoval }]));
      const expected = new Map(
        [...last].filter(([, { isRemoval }]) => !isRemoval).map(([id, { version }]) => [id, version]),
      );
      expect(await index.versions([...last.keys()])).to.deep.equal(expected);
      const hits = await index.search({ vector: X, limit: 50, filter: filter({ state: 'unarchived' }) });
      expect(hits.map(({ id }) => id)).to.deep.equal([...expected.keys()].sort());
    });

    it('have the whole payload, and only version and tombstone after removal', async () => {
      const client = createQdrantClient(config);
      const payload = {
        tags: ['Project/Foo'],
        tagPrefixes: ['project', 'project:foo'],
        validFrom: '2024-01-01T00:00:00+00:00',
      };
      await index.upsert([point(1, { payload })]);
      const stored = await client.retrieve(config.collection, { ids: [memoryId(1)], with_payload: true });
      expect(stored[0]?.payload).to.deep.equal({
        version: 1,
        model: 'test',
        type: 'Context',
        importance: 0.5,
        confidence: 0.9,
        archived: false,
        tags: ['Project/Foo'],
        tag_keys: ['project/foo'],
        tag_prefixes: ['project', 'project:foo'],
        timestamp: '2024-06-01T00:00:00+00:00',
        updated_at: '2024-06-01T00:00:00+00:00',
        valid_from: '2024-01-01T00:00:00+00:00',
      });
      await index.remove([{ id: memoryId(1), version: 2 }]);
      const left = await client.retrieve(config.collection, {
        ids: [memoryId(1)],
        with_payload: true,
        with_vector: true,
      });
      expect(left).to.deep.equal([{ id: memoryId(1), payload: { version: 2, removed: true }, vector: {} }]);
    });

    it('are found for vector lengths where float32 would overflow or become 0', async () => {
      await index.upsert([
        point(1, { vector: Float32Array.of(3e38, 3e38, 0) }),
        point(2, { vector: Float32Array.of(1e-40, 0, 0) }),
      ]);
      const hits = await index.search({ vector: Float32Array.of(1e-42, 0, 0), limit: 5, filter: filter() });
      expect(hits.map(({ id }) => id)).to.deep.equal([memoryId(2), memoryId(1)]);
      expect(hits[1]?.similarity).to.be.closeTo(Math.SQRT1_2, 1e-6);
    });

    it('are in the order of their ids when hundreds tie', async () => {
      await index.upsert(Array.from({ length: 700 }, (_, number) => point((number * 389) % 700)));
      const hits = await index.search({ vector: X, limit: 7, filter: filter() });
      expect(hits.map(({ id }) => id)).to.deep.equal([0, 1, 2, 3, 4, 5, 6].map(memoryId));
    });

    it('differ by microseconds in every year that a memory may have', async () => {
      const times = [
        '0001-01-01T00:00:00',
        '1969-12-31T23:59:59.999998',
        '1969-12-31T23:59:59.999999',
        '9999-12-31T23:59:59.999998',
        '9999-12-31T23:59:59.999999',
      ];
      await index.upsert(times.map((time, number) => point(number, { payload: { timestamp: `${time}+00:00` } })));
      for (const [number, time] of times.entries()) {
        const wanted = filter({ start: `${time}+00:00`, end: `${time}+00:00` });
        const hits = await index.search({ vector: X, limit: 5, filter: wanted });
        expect(hits.map(({ id }) => id)).to.deep.equal([memoryId(number)]);
      }
    });

    it('fill the limit beyond hundreds of nearer points with excluded tag prefixes', async () => {
      const { next: random } = seededRandom(42);
      const points: Point[] = Array.from({ length: 900 }, (_, number) => {
        const tags = number < 800 ? [`session${number}`] : number < 880 ? ['sess'] : ['other'];
        const vector = Float32Array.of(1, number < 880 ? random() / 10 : 1, random());
        return point(number, { vector, payload: { tags, tagPrefixes: tagPrefixes(tags) } });
      });
      await index.upsert(points);
      const request = { vector: X, limit: 10, filter: filter({ excludeTags: ['SESS'] }) };
      const expected = referenceSearch(points, request).map(({ id }) => id);
      expect(expected).to.have.length(10);
      expect((await index.search(request)).map(({ id }) => id)).to.deep.equal(expected);
    });
  });
}
