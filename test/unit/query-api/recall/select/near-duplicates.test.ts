import { expect } from 'chai';
import {
  areNearDuplicates,
  contentFingerprint,
  distinctResults,
} from '../../../../../query-api/recall/select/near-duplicates.js';
import { numberedId } from '../memories.js';
import { numbersOf, resultOf } from '../results.js';

const PIPELINE =
  'The nightly pipeline of the payment team builds the images, runs every test and then pushes the images to the registry';

describe('near duplicates', () => {
  const same: readonly (readonly [string, string, string])[] = [
    ['articles', PIPELINE, PIPELINE.replaceAll('the ', '')],
    [
      'case, punctuation and markup',
      PIPELINE,
      `**${PIPELINE.toUpperCase()}**!`.replace(/[A-Z]/gu, (letter) => letter.toLowerCase()).replace(',', ' -'),
    ],
    ['one more word in a long text', PIPELINE, PIPELINE.replace('then pushes', 'then quickly pushes')],
    ['one more word at the end', 'We keep all logs for thirty days', 'We keep all logs for thirty days somewhere'],
  ];
  for (const [title, one, other] of same) {
    it(`can differ in ${title}`, () => {
      expect(areNearDuplicates(one, other)).to.equal(true);
      expect(areNearDuplicates(other, one)).to.equal(true);
    });
  }

  const distinct: readonly (readonly [string, string, string])[] = [
    ['a number', `${PIPELINE} at 3`, `${PIPELINE} at 4`],
    ['a number in one text only', PIPELINE, `${PIPELINE} 4`],
    ['an identifier', `${PIPELINE} for err_conn`, `${PIPELINE} for err_pool`],
    ['the order of their numbers', `${PIPELINE} on 3 and 4`, `${PIPELINE} on 4 and 3`],
    ['punctuation that belongs to a name', `${PIPELINE} in C`, `${PIPELINE} in C++`],
    ['a path', PIPELINE, `${PIPELINE} src/main`],
    ['a name', PIPELINE, PIPELINE.replace('payment team', 'payment Berlin team')],
    ['a negation', PIPELINE, PIPELINE.replace('then pushes', 'then never pushes')],
    ['a contracted negation', PIPELINE, PIPELINE.replace('then pushes', "then doesn't pushes")],
    ['a replaced word, however long the text', `${PIPELINE} of the red team`, `${PIPELINE} of the blue team`],
    [
      'many words in one text only',
      PIPELINE,
      `${PIPELINE} where people look at them before they are rolled out everywhere`,
    ],
    ['the order of the words', 'the cat bites the dog and the bird', 'the bird and the dog bites the cat'],
    [
      'a word of a script without capitals',
      '今日 会议 在 北京 举行 我们 都 参加',
      '今日 会议 在 北京 举行 我们 都 参加 不',
    ],
    ['one word of a short text', 'the switch is on', 'the switch is on now'],
    ['all words', 'one text of plain words', 'some other thing entirely different'],
  ];
  for (const [title, one, other] of distinct) {
    it(`cannot differ in ${title}`, () => {
      expect(areNearDuplicates(one, other)).to.equal(false);
      expect(areNearDuplicates(other, one)).to.equal(false);
    });
  }

  it('free their place for the next distinct memory and are listed', () => {
    const results = [
      resultOf(1, 0.9, { content: PIPELINE }),
      {
        ...resultOf(2, 0.8, { content: PIPELINE.replace('then pushes', 'then quickly pushes') }),
        dedupedFrom: [numberedId(2), numberedId(7)],
      },
      resultOf(3, 0.7, { content: 'The espresso machine needs descaling every month' }),
      resultOf(4, 0.6, { content: `${PIPELINE} at 4` }),
    ];
    const kept = distinctResults(results, 2);
    expect(numbersOf(kept)).to.deep.equal([1, 3]);
    expect(kept.map(({ dedupedFrom }) => dedupedFrom)).to.deep.equal([
      [numberedId(1), numberedId(2), numberedId(7)],
      [],
    ]);
    expect(numbersOf(distinctResults(results, 10))).to.deep.equal([1, 3, 4]);
  });

  it('leave distinct results unchanged', () => {
    const results = [resultOf(1, 0.9), resultOf(2, 0.8), resultOf(3, 0.7, { content: '' })];
    expect(distinctResults(results, 10)).to.deep.equal(results);
    expect(distinctResults([], 10)).to.deep.equal([]);
  });
});

describe('content fingerprint', () => {
  it('ignores case, punctuation and markup', () => {
    expect(contentFingerprint('**Use** `pg-bouncer`, please — now!')).to.equal('use pg bouncer please now');
    expect(contentFingerprint('  use pg_bouncer\n\nPLEASE now')).to.equal('use pg bouncer please now');
  });

  it('distinguishes texts in every script', () => {
    expect(contentFingerprint('日本語')).to.equal('日本語');
    expect(contentFingerprint('Grüße 日本')).to.equal('grüße 日本');
    expect(contentFingerprint('हिन्दी भाषा')).to.not.equal(contentFingerprint('हन्दा भष'));
  });

  it('is the same in different Unicode normal forms', () => {
    expect(contentFingerprint('Zu\u0308rich')).to.equal(contentFingerprint('Z\u00fcrich'));
  });

  it('uses the first 320 characters', () => {
    expect(contentFingerprint(`${'a'.repeat(320)} one`)).to.equal(contentFingerprint(`${'a'.repeat(320)} two`));
  });

  it('is null for a text without words', () => {
    expect(contentFingerprint('?!  —')).to.equal(null);
  });
});
