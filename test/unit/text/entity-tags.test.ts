/** Names as tags. */
import { expect } from 'chai';
import { entitySlug, entityTags, taggedEntities } from '../../../shared/text/entity-tags.js';

describe('entityTags', () => {
  it('are sorted, and each is there once', () => {
    const entities = { tools: ['Redis', 'redis', 'Claude Code'], people: ['Alice Johnson'] };
    expect(entityTags(entities)).to.deep.equal([
      'entity:people:alice-johnson',
      'entity:tools:claude-code',
      'entity:tools:redis',
    ]);
  });

  it('leave out names of which no letter is left', () => {
    expect(entityTags({ tools: ['!!!'], people: [] })).to.deep.equal([]);
  });

  it('are read back as the entities they name', () => {
    const [tag = ''] = entityTags({ people: ["Mary O'Brien"] });
    expect(taggedEntities([tag])).to.deep.equal([{ tag, type: 'people', name: 'mary o brien' }]);
  });

  it('have slugs in every script, without hyphens at their ends', () => {
    const names = [
      '  C++ ',
      'Jürgen Müller',
      '李雷',
      'ﬁle—x',
      "  O'Brien & Sons, Ltd. ",
      'हिन्दी',
      'node.js',
      '--a__b--',
      '***',
      'ＡＢＣ',
    ];
    expect(names.map(entitySlug)).to.deep.equal([
      'c',
      'jürgen-müller',
      '李雷',
      'file-x',
      'o-brien-sons-ltd',
      'हिन्दी',
      'node-js',
      'a-b',
      '',
      'abc',
    ]);
  });
});
