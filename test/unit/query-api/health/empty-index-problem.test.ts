import { expect } from 'chai';
import { emptyIndexProblem } from '../../../../query-api/health/health.js';
import type { Observation } from '../../../../query-api/health/observe.js';

const problems = (overrides: Partial<Observation>) =>
  emptyIndexProblem({ memories: 5, vectors: 0, inFlight: 0, unindexed: 0, ...overrides } as Observation); // only the fields that it reads

describe('empty index problem', () => {
  it('is a sentence with the number of memories', () => {
    expect(problems({})).to.have.length(1);
    expect(problems({ inFlight: 4 })[0]).to.contain('no vector, and the graph has memories (5)');
  });

  it('is absent if events in flight and dead letters explain it', () => {
    expect(problems({ inFlight: 5 })).to.deep.equal([]);
    expect(problems({ inFlight: 2, unindexed: 3 })).to.deep.equal([]);
  });

  it('is absent with a vector, without memories, for unknown numbers', () => {
    for (const known of [{ vectors: 1 }, { memories: 0 }])
      expect(problems(known), JSON.stringify(known)).to.deep.equal([]);
    for (const name of ['memories', 'vectors', 'inFlight', 'unindexed'])
      expect(problems({ [name]: null }), name).to.deep.equal([]);
  });
});
