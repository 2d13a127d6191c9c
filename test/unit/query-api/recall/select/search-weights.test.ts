import { expect } from 'chai';
import { contrastOf, searchWeights } from '../../../../../query-api/recall/select/merge-searches.js';

describe('the contrast of a search', () => {
  it('is the distance of the best match from the median, as a share', () => {
    expect(contrastOf([0.2, 0.8, 0.2, 0.3])).to.be.closeTo(0.75, 1e-12);
  });
  it('is 1 when nothing else matches', () => {
    expect(contrastOf([0.4])).to.equal(1);
    expect(contrastOf([0.4, 0, 0])).to.equal(1);
  });
  it('is 0 when all candidates match equally or not at all', () => {
    for (const matches of [[0.5, 0.5, 0.5], [0, 0], []]) expect(contrastOf(matches)).to.equal(0);
  });
});

describe('the weights of searches', () => {
  const clear = { weight: 1, matches: [0.8, 0.1, 0.1] };
  const vague = { weight: 1, matches: [0.8, 0.7, 0.7] };

  it('keep the weight of a single search', () => {
    for (const matches of [clear.matches, vague.matches, []])
      expect(searchWeights([{ weight: 1, matches }])).to.deep.equal([1]);
  });
  it('are 1 for each query of the caller', () => {
    expect(searchWeights([clear, vague])).to.deep.equal([1, 1]);
  });
  it('are low for a part that matches everything', () => {
    const [ofQuery, ofPart = 1] = searchWeights([clear, { ...vague, weight: 0.5 }]);
    expect(ofQuery).to.equal(1);
    expect(ofPart).to.be.within(0.05, 0.1);
  });
  it('are not reduced for the whole query by a part', () => {
    expect(searchWeights([vague, { ...clear, weight: 0.5 }])).to.deep.equal([1, 0.5]);
  });
  it('stay unchanged for searches without contrast', () => {
    expect(
      searchWeights([
        { weight: 1, matches: [] },
        { weight: 0.5, matches: [0.3, 0.3] },
      ]),
    ).to.deep.equal([1, 0.5]);
  });
});
