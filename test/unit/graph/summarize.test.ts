import { expect } from 'chai';
import { summarize } from '../../../shared/graph/summarize.js';
import { memory } from '../../support/memories.js';

describe('the summary of a memory', () => {
  const contentOf = (content: string) => summarize(memory(1, { content })).content;

  it('shows 160 characters as they are', () => {
    expect(contentOf('x'.repeat(160))).to.equal('x'.repeat(160));
    expect(contentOf('😀'.repeat(160))).to.equal('😀'.repeat(160));
  });

  it('cuts more at a blank and says that there is more', () => {
    expect(contentOf('four '.repeat(40))).to.equal(`${'four '.repeat(30)}four…`);
  });

  it('cuts what has no blanks between characters', () => {
    expect(contentOf('長'.repeat(161))).to.equal(`${'長'.repeat(157)}…`);
    expect(contentOf('😀'.repeat(300))).to.equal(`${'😀'.repeat(157)}…`);
  });

  it('shows a summary in place of the content', () => {
    expect(summarize(memory(1, { content: 'long', summary: 'short' })))
      .to.include({ summary: 'short' })
      .and.not.have.property('content');
  });

  it('shows five tags, or none at all', () => {
    expect(summarize(memory(1, { tags: ['a', 'b', 'c', 'd', 'e', 'f'] })).tags).to.deep.equal([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(summarize(memory(1, { tags: [] }))).to.not.have.property('tags');
  });
});
