import { expect } from 'chai';
import fc from 'fast-check';
import { identifierMatches, withIdentifiers } from '../../../query-api/recall/identifier-match.js';
import { keywordMatches } from '../../../query-api/recall/keyword-match.js';
import { createTermText } from '../../../query-api/recall/term-text.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { identifiersOf } from '../../../shared/text/identifiers.js';
import { memoryOf } from './memories.js';

type Given = string | { readonly content: string; readonly tags: readonly string[] };

const poolOf = (contents: readonly Given[]) =>
  contents.map((given, index) => memoryOf(index + 1, typeof given === 'string' ? { content: given } : given));

function matches(query: string, ...contents: readonly Given[]): readonly number[] | null {
  return identifierMatches(identifiersOf(query), poolOf(contents), createTermText());
}

describe('the match of identifiers', () => {
  it('is 1 for the whole identifier in the content, a half in a tag, and 0 for its parts', () => {
    const tagged = { content: 'something', tags: ['ticket:PAY-4123'] };
    expect(matches('what of PAY-4123', 'PAY-4123 is closed', tagged, 'PAY-4124 and OPS-4123')).to.deep.equal([
      1, 0.5, 0,
    ]);
  });

  it('knows another spelling, and a file by the end of its path', () => {
    expect(matches('what of PAY-4123', 'pay_4123 is closed', 'Pay 4123', 'pay 40 of 4123')).to.deep.equal([1, 1, 0]);
    expect(
      matches('who wrote main-loop.ts', 'it is in src/core/main-loop.ts', 'it is in src/core/main-menu.ts'),
    ).to.deep.equal([1, 0]);
  });

  it('does not take a version for one that begins alike', () => {
    expect(matches('is 20.11.1 safe', 'we run 20.11.1', 'we run 20.11.2', 'we run 20.11.15')).to.deep.equal([1, 0, 0]);
  });

  it('counts the rarer of two identifiers more, and either of two that are as rare in full', () => {
    const [rare, common] =
      matches('ERR_QUOTA in main.ts', 'ERR_QUOTA again', 'main.ts grew', 'main.ts shrank', 'main.ts moved', 'other') ??
      [];
    expect(rare).to.equal(1);
    expect(common).to.be.within(0.1, 0.9);
    expect(matches('PAY-4123 and PAY-4124', 'PAY-4123 is closed', 'PAY-4124 is open', 'PAY-4125')).to.deep.equal([
      1, 1, 0,
    ]);
  });

  it('says nothing where nothing is named, or nobody has it', () => {
    expect(matches('what do we know', 'we know')).to.equal(null);
    expect(matches('what of PAY-4123', 'we know')).to.equal(null);
    expect(withIdentifiers([0.3], null)).to.deep.equal([0.3]);
  });

  it('never leaves who holds the identifier behind who holds the other words, and stays between 0 and 1', () => {
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
