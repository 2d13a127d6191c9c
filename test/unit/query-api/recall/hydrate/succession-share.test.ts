import { expect } from 'chai';
import { successionShare } from '../../../../../query-api/recall/hydrate/state.js';

describe('the share that a successor takes over', () => {
  it('depends on the type of the association', () => {
    expect(successionShare([{ type: 'EVOLVED_INTO', strength: 1 }])).to.equal(0.95);
    expect(successionShare([{ type: 'INVALIDATED_BY', strength: 1 }])).to.equal(0.85);
  });

  it('falls with the strength to half of the share', () => {
    expect(successionShare([{ type: 'INVALIDATED_BY', strength: 0.9 }])).to.be.closeTo(0.8075, 1e-12);
    expect(successionShare([{ type: 'INVALIDATED_BY', strength: 0 }])).to.equal(0.425);
  });

  it('is that of the weakest step of a chain', () => {
    const steps = [
      { type: 'EVOLVED_INTO', strength: 0.8 },
      { type: 'INVALIDATED_BY', strength: 1 },
    ] as const;
    expect(successionShare(steps)).to.equal(0.85);
    expect(successionShare([...steps].reverse())).to.equal(0.85);
  });
});
