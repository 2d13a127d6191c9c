/** What a query names: persons and dates; and which memories ask. */
import { expect } from 'chai';
import { dateMatches } from '../../../query-api/recall/surroundings/date-matches.js';
import { isQuestion } from '../../../query-api/recall/surroundings/is-question.js';
import { subjectMatches } from '../../../query-api/recall/surroundings/subject-matches.js';
import { memoryOf } from './memories.js';

describe('the subject', () => {
  const pool = [
    memoryOf(1, { content: 'Ann: I paint' }),
    memoryOf(2, { content: 'Bob: Ann paints' }),
    memoryOf(3, { content: 'It hangs here', metadata: { speaker: 'Ann' } }),
  ];

  it('is the one who is named and speaks', () => {
    expect(subjectMatches("What are ann's hobbies?", pool)).to.deep.equal([1, 0, 1]);
  });
  it('is nobody when none or several are named', () => {
    expect(subjectMatches('What do Ann and Bob paint?', pool)).to.deep.equal([0, 0, 0]);
    expect(subjectMatches('Annabel', pool)).to.deep.equal([0, 0, 0]);
  });
  it('is no address, path or sentence before a colon', () => {
    const contents = ['https://ann.example', 'src/Ann: moved', 'The plan of Ann and Bob: paint'];
    expect(
      subjectMatches(
        'ann https src plan bob',
        contents.map((content, index) => memoryOf(index, { content })),
      ),
    ).to.deep.equal([0, 0, 0]);
  });
});

describe('the date', () => {
  const pool = [
    memoryOf(1, { timestamp: '2023-05-08T10:00:00+00:00' }),
    memoryOf(2, { timestamp: '2022-05-08T10:00:00+00:00' }),
  ];
  const cases: readonly [query: string, matches: readonly number[]][] = [
    ['What happened in May 2023?', [1, 0]],
    ['What happened in May?', [1, 1]],
    ['the plans for 2022', [0, 0.5]],
    ['on 8 May, 2022', [0, 1]],
    ['release of 2023-05', [1, 0]],
    ['what may we do', [0, 0]],
    ['ticket OPS-2023 and port 2022:80', [0, 0]],
    ['nothing of that kind', [0, 0]],
  ];
  for (const [query, matches] of cases) {
    it(`of "${query}" fits ${matches.join(' and ')}`, () => expect(dateMatches(query, pool)).to.deep.equal(matches));
  }
});

describe('a question', () => {
  for (const content of [
    'What?',
    'Wo ist es? ',
    'どこですか？',
    'أين؟',
    'Seen it? [shares a photo of a cat]',
    '"Why?"',
  ]) {
    it(`is "${content}"`, () => expect(isQuestion(content)).to.equal(true));
  }
  for (const content of ['What? Nothing.', 'a ?? b', 'int x;', '']) {
    it(`is not "${content}"`, () => expect(isQuestion(content)).to.equal(false));
  }
});
