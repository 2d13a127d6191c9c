import { expect } from 'chai';
import { COEFFICIENTS } from '../../../bench/fit/coefficients.js';
import { recallLines } from '../../../bench/fit/fit-lines.js';

describe('the tables of the fit', () => {
  const only = (signal: string): readonly number[] => COEFFICIENTS.map((name) => (name === signal ? 1 : 0));
  const [date, role] = [only('date'), only('role')];

  it('use the weights of the fold of each question', () => {
    const results = Array.from({ length: 12 }, (_, index) => ({
      source: `s${index}`,
      parts: {
        vector: { fixed: 0, features: COEFFICIENTS.map((name) => ({ date: -index, role: index })[name] ?? 0) },
        keyword: null,
        others: 0,
      },
    }));
    const fitted = { defaults: date, byFold: [date, role, date, date], onEverything: role };
    const asked = { category: 'any', evidence: ['s11'], results };
    const lines = recallLines([{ ...asked, conversation: 0 }, { ...asked, conversation: 1 }], fitted); // prettier-ignore
    expect(lines.map((line) => line.trim().split(/\s{2,}/u))).to.deep.equal([
      ['recall@10', 'questions', 'service', 'defaults', 'left out', 'fitted', 'in reach'],
      ['all', '2', '0.0', '0.0', '50.0', '100.0', '100.0'],
      ['any', '2', '0.0', '0.0', '50.0', '100.0', '100.0'],
    ]);
  });
});
