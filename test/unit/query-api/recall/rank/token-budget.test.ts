import { expect } from 'chai';
import { estimateTokens, fitBudget } from '../../../../../query-api/recall/rank/token-budget.js';
import { numberedId } from '../memories.js';
import { numbersOf, resultOf } from '../results.js';

describe('token budget', () => {
  /** Each 50 tokens: 40 for the other fields and 10 for the content. */
  const results = [1, 2, 3].map((number) => resultOf(number, 1 - number / 10, { content: 'x'.repeat(40) }));

  it('counts one token per four bytes of content and tags', () => {
    expect(estimateTokens({ content: 'x'.repeat(40), tags: [] })).to.equal(50);
    expect(estimateTokens({ content: 'x'.repeat(41), tags: [] })).to.equal(51);
    expect(estimateTokens({ content: 'x'.repeat(35), tags: ['four'] })).to.equal(50);
    expect(estimateTokens({ content: '記憶の宮殿と図書館は', tags: [] })).to.equal(48);
  });

  it('keeps the results that fit, best first, and lists the omitted ones', () => {
    const { results: kept, budget } = fitBudget(results, 149);
    expect(numbersOf(kept)).to.deep.equal([1, 2]);
    expect(budget).to.deep.equal({ maxTokens: 149, estimatedTokens: 100, omitted: [numberedId(3)] });
  });

  it('keeps all results that fit exactly', () => {
    expect(fitBudget(results, 150).budget).to.deep.equal({ maxTokens: 150, estimatedTokens: 150, omitted: [] });
  });

  it('keeps the first result, whatever its size', () => {
    const { results: kept, budget } = fitBudget(results, 1);
    expect(numbersOf(kept)).to.deep.equal([1]);
    expect(budget).to.deep.include({ estimatedTokens: 50, omitted: [numberedId(2), numberedId(3)] });
  });

  it('keeps no smaller result after a better one that does not fit', () => {
    const mixed = [results[0], resultOf(2, 0.8, { content: 'x'.repeat(4_000) }), results[2]].flatMap(
      (result) => result ?? [],
    );
    expect(numbersOf(fitBudget(mixed, 200).results)).to.deep.equal([1]);
  });

  it('is null without a budget, and omits nothing without results', () => {
    expect(fitBudget(results, null)).to.deep.equal({ results, budget: null });
    expect(fitBudget([], 10)).to.deep.equal({
      results: [],
      budget: { maxTokens: 10, estimatedTokens: 0, omitted: [] },
    });
  });
});
