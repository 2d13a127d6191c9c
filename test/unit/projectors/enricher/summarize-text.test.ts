/** Summaries of a memory in one line. */
import { expect } from 'chai';
import fc from 'fast-check';
import { summarizeText, SUMMARY_LIMIT } from '../../../../projectors/enricher/enrich-memory.js';

const SUMMARIES = [
  ['We chose Postgres. It is boring.', 'We chose Postgres.'],
  ['Did it work? Yes!', 'Did it work?'],
  ['no end at all', 'no end at all'],
  ['  Blanks before it. And after. ', 'Blanks before it.'],
  ['Dr. Smith met Ann B. Cook at v1.2.3 e.g. today. She left.', 'Dr. Smith met Ann B. Cook at v1.2.3 e.g. today.'],
  ['A line that is\nbroken by hand. Next.', 'A line that is broken by hand.'],
  ['# Title\n\nBody text.', '# Title'],
  ['Groceries\n- milk\n- bread', 'Groceries'],
  ['こんにちは世界。これは二番目です。', 'こんにちは世界。'],
  ['यह पहला है। यह दूसरा है।', 'यह पहला है।'],
  ['', ''],
  [' \n ', ''],
] as const;

describe('summarizeText', () => {
  for (const [content, summary] of SUMMARIES) {
    it(`summarizes ${JSON.stringify(content).slice(0, 60)}`, () => {
      expect(summarizeText(content)).to.equal(summary);
    });
  }

  it('cuts a long sentence between two words', () => {
    const summary = summarizeText(`${'word '.repeat(100)}end.`);
    expect(summary).to.match(/^(?:word )+word$/u);
    expect(summary).to.have.length.within(SUMMARY_LIMIT - 5, SUMMARY_LIMIT);
  });

  it('cuts text without blanks between words, and never inside a character', () => {
    expect(summarizeText('用户会话'.repeat(200))).to.have.length.within(SUMMARY_LIMIT - 5, SUMMARY_LIMIT);
    expect(summarizeText(`x${'😀'.repeat(200)}`)).to.match(/^x😀+$/u);
    expect(summarizeText('x'.repeat(1_000))).to.have.length(SUMMARY_LIMIT);
  });

  it('never throws, stays within its limit and adds no text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600, unit: 'grapheme' }), (content) => {
        const summary = summarizeText(content);
        expect(summary.length).to.be.at.most(SUMMARY_LIMIT);
        expect(content.replace(/\s+/gu, ' ')).to.include(summary);
      }),
    );
  });
});
