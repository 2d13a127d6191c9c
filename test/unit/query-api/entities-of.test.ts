import { expect } from 'chai';
import { entitiesOf } from '../../../query-api/recall/entities-of.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { memoryOf } from './memories.js';

const tagsOf = (...memories: readonly Partial<Memory>[]): readonly string[] =>
  entitiesOf(memories.map((each, index) => memoryOf(index, each))).map(({ tag }) => tag);

describe('the entities of memories', () => {
  it('are what extraction named and what tags name, once each', () => {
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

  it('come in the order of the memories, people, places and organizations before all else', () => {
    const extracted = { metadata: { entities: { places: ['Rome'], people: ['Ann'], tools: ['npm'] } } };
    expect(tagsOf({ tags: ['entity:tools:redis', 'entity:people:bob'] }, extracted)).to.deep.equal([
      'entity:people:bob',
      'entity:people:ann',
      'entity:places:rome',
      'entity:tools:redis',
    ]);
  });

  it('are none where metadata and tags are something else', () => {
    for (const entities of [null, 'Ann', 3, ['Ann'], { people: 'Ann' }, { people: [3, null, '', ' ', '!!'] }]) {
      expect(tagsOf({ metadata: { entities } })).to.deep.equal([]);
    }
    expect(tagsOf({ tags: ['entity', 'entity:people', 'entity::', 'people:ann', 'entity:people:--'] })).to.deep.equal(
      [],
    );
  });

  it('end with their slug', () => {
    expect(tagsOf({ tags: ['entity:people:ann:2024'] })).to.deep.equal(['entity:people:ann']);
  });
});
