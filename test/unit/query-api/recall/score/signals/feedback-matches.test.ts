import { expect } from 'chai';
import { feedbackMatches } from '../../../../../../query-api/recall/score/signals/feedback-matches.js';
import type { WeightedTerm } from '../../../../../../query-api/recall/score/signals/lexical-matches.js';
import { createTermText } from '../../../../../../query-api/recall/score/term-text.js';

function matches(terms: readonly WeightedTerm[], ...contents: readonly string[]): readonly number[] {
  return feedbackMatches(
    terms,
    contents.map((content) => ({ content })),
    createTermText(),
  );
}

describe('feedbackMatches', () => {
  it('counts only terms that two memories share', () => {
    const terms = ['quokka', 'zebra'].map((term) => ({ term, weight: 1 }));
    expect(matches(terms, 'zebra quokka', 'quokka seen', 'tea')).to.deep.equal([1, 1, 0]);
    expect(matches(terms, 'zebra quokka', 'tea')).to.deep.equal([0, 0]);
  });

  it('counts a term by its weight', () => {
    const terms = [
      { term: 'quokka', weight: 2 },
      { term: 'zebra', weight: 1 },
    ];
    const [light = 0, heavy] = matches(terms, 'zebra', 'quokka', 'quokka zebra', 'tea', 'bus', 'rain').slice(0, 2);
    expect(heavy).to.be.closeTo(2 * light, 1e-12);
  });
});
