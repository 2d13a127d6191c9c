/** The search of every vector index against a search that computes every cosine. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { tagPrefixes } from '../../../shared/text/tags.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { filter, point, referenceSearch } from '../../support/fixtures/points.js';
import { seededRandom } from '../../support/fixtures/random.js';

for (const adapter of VECTOR_ADAPTERS) {
  describe(`vector index search: ${adapter.name}`, () => {
    const DIMENSION = 40;
    const { next: random, pick } = seededRandom(20_240_601);
    const vector = (): Float32Array => Float32Array.from({ length: DIMENSION }, () => random() - 0.5);
    const day = (): string => `2024-${pick(['05', '06', '07'])}-${pick(['01', '10', '20', '28'])}T12:00:00+00:00`;
    const maybe = <T>(chance: number, make: () => T): T | null => (random() < chance ? make() : null);
    const TAGS = ['alpha', 'alpha:one', 'Beta/Two', 'beta:two:three', 'gamma', 'rare'];
    let opened: OpenIndex;
    let points: Point[];

    before(async () => {
      points = Array.from({ length: 600 }, (_, number) => {
        const tags = TAGS.filter((tag) => random() < (tag === 'rare' ? 0.01 : 0.3));
        return point(number, {
          vector: vector(),
          payload: {
            type: pick(['Context', 'Decision', 'MetaPattern']),
            tags,
            tagPrefixes: tagPrefixes(tags),
            timestamp: day(),
            validFrom: maybe(0.3, day),
            validUntil: maybe(0.3, day),
            archived: random() < 0.2,
          },
        });
      });
      opened = await adapter.open(DIMENSION);
      await opened.index.upsert(points);
    });
    after(() => opened.close());

    const randomFilter = (): MemoryFilter =>
      filter({
        tags: maybe(0.6, () => ({
          values: [pick(TAGS), pick(TAGS)],
          mode: pick(['any', 'all']),
          match: pick(['prefix', 'exact']),
        })),
        within: maybe(0.3, () => pick(['alpha', 'beta:two', 'gamma'])),
        excludeTags: maybe(0.3, () => [pick(['gam', 'Alpha:', 'beta:two', 'zeta'])]) ?? [],
        start: maybe(0.4, day),
        end: maybe(0.4, day),
        excludedTypes: maybe(0.4, () => ['MetaPattern']) ?? [],
        state: pick(['current', 'lapsed', 'unarchived']),
        now: day(),
      });

    it('equals the reference search under 200 random filters', async () => {
      for (let i = 0; i < 200; i += 1) {
        const request = { vector: vector(), limit: pick([1, 5, 20, 1_000]), filter: randomFilter() };
        const [found, expected] = [await opened.index.search(request), referenceSearch(points, request)];
        expect(
          found.map(({ id }) => id),
          JSON.stringify(request.filter),
        ).to.deep.equal(expected.map(({ id }) => id));
        found.forEach((hit, at) => expect(hit.similarity).to.be.closeTo(expected[at]?.similarity ?? NaN, 1e-5));
      }
    });

    it('fills the limit under a filter that admits few points', async () => {
      const tags = { values: ['rare'], mode: 'any', match: 'exact' } as const;
      const admitted = points.filter(({ payload }) => payload.tags.includes('rare') && !payload.archived);
      expect(admitted.length).to.be.within(2, 20);
      const find = (conditions: Partial<MemoryFilter>) =>
        opened.index.search({ vector: vector(), limit: 20, filter: filter({ state: 'unarchived', ...conditions }) });
      expect(await find({ tags })).to.have.length(admitted.length);
      expect(await find({ within: 'rare' })).to.have.length(admitted.length);
      const both = admitted.filter(({ payload }) => payload.tagPrefixes.includes('alpha'));
      expect(both.length).to.be.within(1, admitted.length - 1);
      expect((await find({ tags, within: 'alpha' })).map(({ id }) => id)).to.have.members(both.map(({ id }) => id));
    });
  });
}
