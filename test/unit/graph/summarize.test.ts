import { expect } from 'chai';
import { summarize } from '../../../shared/text/summarize.js';
import { memory } from '../../support/fixtures/memories.js';

describe('summarize', () => {
  const contentOf = (content: string) => summarize(memory(1, { content })).content;

  it('keeps a content of 160 characters unchanged', () => {
    expect(contentOf('x'.repeat(160))).to.equal('x'.repeat(160));
    expect(contentOf('😀'.repeat(160))).to.equal('😀'.repeat(160));
  });

  it('cuts a longer content at a blank and adds an ellipsis', () => {
    expect(contentOf('four '.repeat(40))).to.equal(`${'four '.repeat(30)}four…`);
  });

  it('cuts a content without blanks between two characters', () => {
    expect(contentOf('長'.repeat(161))).to.equal(`${'長'.repeat(157)}…`);
    expect(contentOf('😀'.repeat(300))).to.equal(`${'😀'.repeat(157)}…`);
  });

  it('shows the summary of the memory instead of its content', () => {
    expect(summarize(memory(1, { content: 'long', summary: 'short' })))
      .to.include({ summary: 'short' })
      .and.not.have.property('content');
  });

  it('shows at most five tags, and no tags field without tags', () => {
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
