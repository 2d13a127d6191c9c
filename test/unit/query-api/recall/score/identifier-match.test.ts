import { expect } from 'chai';
import fc from 'fast-check';
import { identifierMatches, withIdentifiers } from '../../../../../query-api/recall/score/identifier-match.js';
import { keywordMatches } from '../../../../../query-api/recall/score/keyword-match.js';
import { createTermText } from '../../../../../query-api/recall/score/term-text.js';
import { queryTerms } from '../../../../../shared/text/analyzer.js';
import { identifiersOf } from '../../../../../shared/text/identifiers.js';
import { memoryOf } from '../memories.js';

type Given = string | { readonly content: string; readonly tags: readonly string[] };

const poolOf = (contents: readonly Given[]) =>
  contents.map((given, index) => memoryOf(index + 1, typeof given === 'string' ? { content: given } : given));

function matches(query: string, ...contents: readonly Given[]): readonly number[] | null {
  return identifierMatches(identifiersOf(query), poolOf(contents), createTermText());
}

describe('identifier match', () => {
  it('is 1 for the identifier in the content, 0.5 in a tag, and 0 for parts', () => {
    const tagged = { content: 'something', tags: ['ticket:PAY-4123'] };
    expect(matches('what of PAY-4123', 'PAY-4123 is closed', tagged, 'PAY-4124 and OPS-4123')).to.deep.equal([
      1, 0.5, 0,
    ]);
  });

  it('finds other spellings, and a file by the end of its path', () => {
    expect(matches('what of PAY-4123', 'pay_4123 is closed', 'Pay 4123', 'pay 40 of 4123')).to.deep.equal([1, 1, 0]);
    expect(
      matches('who wrote main-loop.ts', 'it is in src/core/main-loop.ts', 'it is in src/core/main-menu.ts'),
    ).to.deep.equal([1, 0]);
  });

  it('does not match a version with the same beginning', () => {
    expect(matches('is 20.11.1 safe', 'we run 20.11.1', 'we run 20.11.2', 'we run 20.11.15')).to.deep.equal([1, 0, 0]);
  });

  it('counts a rarer identifier more, and equally rare ones fully', () => {
    const [rare, common] =
      matches('ERR_QUOTA in main.ts', 'ERR_QUOTA again', 'main.ts grew', 'main.ts shrank', 'main.ts moved', 'other') ??
      [];
    expect(rare).to.equal(1);
    expect(common).to.be.within(0.1, 0.9);
    expect(matches('PAY-4123 and PAY-4124', 'PAY-4123 is closed', 'PAY-4124 is open', 'PAY-4125')).to.deep.equal([
      1, 1, 0,
    ]);
  });

  it('is null without an identifier in the query or in the pool', () => {
    expect(matches('what do we know', 'we know')).to.equal(null);
    expect(matches('what of PAY-4123', 'we know')).to.equal(null);
    expect(withIdentifiers([0.3], null)).to.deep.equal([0.3]);
  });

  it('never ranks a memory with the identifier below one without it', () => {
    const word = fc.constantFrom('know', 'refund', 'bank', 'late', 'friday', 'twice', 'answer');
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, fc.array(text, { minLength: 1, maxLength: 12 }), (before, after, others) => {
        const query = `${before} PAY-4123 ${after}`;
        const pool = poolOf(['PAY-4123', ...others]);
        const termText = createTermText();
        const [holding = 0, ...rest] = withIdentifiers(
          keywordMatches(queryTerms(query), pool, termText),
          identifierMatches(identifiersOf(query), pool, termText),
        );
        expect(holding).to.be.within(Math.max(...rest), 1 + 1e-12);
      }),
      { seed: 7 },
    );
  });
});
