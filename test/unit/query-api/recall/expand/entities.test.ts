import { expect } from 'chai';
import type { Evidence } from '../../../../../query-api/recall/candidate.js';
import { entitiesOf, limitPerEntity } from '../../../../../query-api/recall/expand/entities.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { memoryOf } from '../memories.js';

const tagsOf = (...memories: readonly Partial<Memory>[]): readonly string[] =>
  entitiesOf(memories.map((each, index) => memoryOf(index, each))).map(({ tag }) => tag);

describe('the entities of memories', () => {
  it('are the extracted and the tagged ones, once each', () => {
    expect(
      tagsOf({
        metadata: { entities: { people: ['Ann Lee'] } },
        tags: ['entity:people:ann-lee', 'entity:places:oslo'],
      }),
    ).to.deep.equal(['entity:people:ann-lee', 'entity:places:oslo']);
  });

  it('have a name in lower case', () => {
    const names = entitiesOf([
      memoryOf(1, {
        metadata: { entities: { organizations: [' Müller & Söhne GmbH '] } },
        tags: ['Entity/People/Jean-Luc'],
      }),
    ]);
    expect(names).to.deep.equal([
      { tag: 'entity:organizations:müller-söhne-gmbh', type: 'organizations', name: 'müller & söhne gmbh' },
      { tag: 'entity:people:jean-luc', type: 'people', name: 'jean luc' },
    ]);
  });

  it('list people, places and organizations in memory order', () => {
    const extracted = { metadata: { entities: { places: ['Rome'], people: ['Ann'], tools: ['npm'] } } };
    expect(tagsOf({ tags: ['entity:tools:redis', 'entity:people:bob'] }, extracted)).to.deep.equal([
      'entity:people:bob',
      'entity:people:ann',
      'entity:places:rome',
      'entity:tools:redis',
    ]);
  });

  it('are empty for other metadata and tags', () => {
    for (const entities of [null, 'Ann', 3, ['Ann'], { people: 'Ann' }, { people: [3, null, '', ' ', '!!'] }]) {
      expect(tagsOf({ metadata: { entities } })).to.deep.equal([]);
    }
    expect(tagsOf({ tags: ['entity', 'entity:people', 'entity::', 'people:ann', 'entity:people:--'] })).to.deep.equal(
      [],
    );
  });

  it('have a tag that ends with the slug', () => {
    expect(tagsOf({ tags: ['entity:people:ann:2024'] })).to.deep.equal(['entity:people:ann']);
  });
});

/** Best first: the numbers count down the ranks. */
const ranked = (...entities: readonly string[]) =>
  entities.map((entity, rank) => ({
    memory: memoryOf(rank),
    evidence: [{ source: 'entity', entity } satisfies Evidence],
    replaces: null,
  }));
const kept = (entities: readonly string[], limit: number) =>
  limitPerEntity(ranked(...entities), limit).map(({ evidence }) => evidence[0]?.entity);

describe('the limit per entity', () => {
  it('keeps the best five results of each entity', () => {
    expect(kept(['ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'bob', 'ann'], 10)).to.deep.equal([
      'ann',
      'ann',
      'ann',
      'ann',
      'ann',
      'bob',
    ]);
  });

  it('cuts to the total limit afterwards', () => {
    expect(kept(['ann', 'ann', 'bob', 'ann'], 3)).to.deep.equal(['ann', 'ann', 'bob']);
    expect(kept(['ann'], 0)).to.deep.equal([]);
  });
});
