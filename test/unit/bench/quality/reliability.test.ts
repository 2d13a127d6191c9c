import { expect } from 'chai';
import { calibrationError, estimatesOf, reliabilityLines } from '../../../bench/quality/reliability.js';

const estimated = (entries: readonly (readonly [string, number])[]) => ({
  results: entries.map(([source, matchProbability]) => ({ source, matchProbability })),
});

describe('the calibration of match_probability', () => {
  it('has no error when each tenth is right', () => {
    const estimates = Array.from({ length: 40 }, (_, index) => ({
      probability: index < 20 ? 0.25 : 0.75,
      isEvidence: index < 20 ? index % 4 === 0 : index % 4 !== 0,
    }));
    expect(calibrationError(estimates)).to.equal(0);
  });

  it('has the mean difference over the tenths as error', () => {
    const estimates = Array.from({ length: 20 }, (_, index) => ({ probability: 0.3, isEvidence: index >= 10 }));
    expect(calibrationError(estimates)).to.be.closeTo(0.5 * 0.3 + 0.5 * 0.7, 1e-9);
    expect(calibrationError([])).to.equal(0);
  });

  it('counts ten results at home and ten elsewhere', () => {
    const many = Array.from({ length: 12 }, (_, index) => [`x${index}`, 0.1] as const);
    const estimates = estimatesOf([
      { evidence: ['x0', 'x11', 'y'], own: estimated(many), other: estimated([['y', 0.4]]) },
    ]);
    expect(estimates).to.have.length(11);
    expect(estimates.filter(({ isEvidence }) => isEvidence)).to.have.length(1);
    expect(estimates.at(-1)).to.deep.equal({ probability: 0.4, isEvidence: false });
  });

  it('is a table of tenths with the error below', () => {
    const pairs = Array.from({ length: 10 }, (_, index) => ({
      evidence: ['a'],
      own: estimated([['a', 0.5 + index / 100]]),
      other: estimated([['z', index / 100]]),
    }));
    const lines = reliabilityLines(pairs);
    expect(lines[1]?.split(/\s{2,}/u)).to.deep.equal(['1', '2', '0.0 to 1.0', '0.5', '0.0']);
    expect(lines[10]?.split(/\s{2,}/u)).to.deep.equal(['10', '2', '58.0 to 59.0', '58.5', '100.0']);
    expect(lines[11]).to.equal('calibration error (ECE) 0.2500, at home alone 0.4550');
  });
});
