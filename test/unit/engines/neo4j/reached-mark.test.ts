import { expect } from 'chai';
import { hasReached, type Reached, reachedIn } from '../../../../shared/engines/neo4j/neo4j-graph-mark.js';

describe('mark of a member', () => {
  const reached = (changes: readonly (readonly [string, number])[], graph = 'one'): Reached => {
    const found = reachedIn([{ graph, changes }]);
    if (found === null) throw new Error('A row has a mark');
    return found;
  };
  const leader = reached([
    ['applied-3', 7],
    ['applied-9', 2],
  ]);

  it('has what the leader has with the same counts, or more', () => {
    expect(hasReached(leader, leader)).to.equal(true);
    const later = [...leader.changes, ['applied-10', 1]] as const;
    expect(hasReached(reached(later), leader)).to.equal(true);
  });

  it('lacks a transaction of one process, whatever the others have', () => {
    const ahead = [
      ['applied-3', 6],
      ['applied-9', 20],
    ] as const;
    expect(hasReached(reached(ahead), leader)).to.equal(false);
    expect(hasReached(reached([['applied-3', 7]]), leader)).to.equal(false);
  });

  it('does not count for a graph that has no mark or another one', () => {
    expect(reachedIn([])).to.equal(null);
    expect(hasReached(null, leader)).to.equal(false);
    expect(hasReached(reached([...leader.changes], 'another'), leader)).to.equal(false);
  });
});
