import { expect } from 'chai';
import { subjectMatches } from '../../../../../../query-api/recall/score/signals/subject-matches.js';
import { memoryOf } from '../../memories.js';

describe('subject matches', () => {
  const pool = [
    memoryOf(1, { content: 'Ann: I paint' }),
    memoryOf(2, { content: 'Bob: Ann paints' }),
    memoryOf(3, { content: 'It hangs here', metadata: { speaker: 'Ann' } }),
  ];

  it('are the memories whose speaker the query names', () => {
    expect(subjectMatches("What are ann's hobbies?", pool)).to.deep.equal([1, 0, 1]);
  });
  it('are none when the query names no speaker or several', () => {
    expect(subjectMatches('What do Ann and Bob paint?', pool)).to.deep.equal([0, 0, 0]);
    expect(subjectMatches('Annabel', pool)).to.deep.equal([0, 0, 0]);
  });
  it('ignore addresses, paths and sentences before a colon', () => {
    const contents = ['https://ann.example', 'src/Ann: moved', 'The plan of Ann and Bob: paint'];
    expect(
      subjectMatches(
        'ann https src plan bob',
        contents.map((content, index) => memoryOf(index, { content })),
      ),
    ).to.deep.equal([0, 0, 0]);
  });
});
