import { expect } from 'chai';
import { createClusters } from '../../../../../projectors/jobs/consolidator/run-cluster.js';
import { seededRandom } from '../../../../support/fixtures/random.js';

function clustersOf(members: readonly string[], pairs: readonly (readonly [string, string])[], size: number) {
  const clusters = createClusters<string>();
  for (const member of members) clusters.add(member, member);
  for (const [one, other] of pairs) clusters.connect(one, other);
  return clusters.groups(size);
}

describe('clusters', () => {
  it('are groups of connected members of at least the size', () => {
    const pairs = [['a', 'b'], ['c', 'b'], ['d', 'e']] as const; // prettier-ignore
    expect(clustersOf(['a', 'b', 'c', 'd', 'e', 'f'], pairs, 3)).to.deep.equal([['a', 'b', 'c']]);
    expect(clustersOf(['a', 'b', 'c', 'd', 'e', 'f'], pairs, 2)).to.have.length(2);
  });

  it('ignore a pair with an id that is no member', () => {
    expect(clustersOf(['a', 'b'], [['a', 'x'], ['x', 'b']], 2)).to.deep.equal([]); // prettier-ignore
  });

  it('equal the groups that a search along the pairs finds', () => {
    const random = seededRandom(7);
    const members = Array.from({ length: 200 }, (_, number) => `m${number}`);
    const pairs = Array.from({ length: 120 }, () => [random.pick(members), random.pick(members)] as const);
    const found = clustersOf(members, pairs, 2).map((group) => [...group].sort().join());
    expect(found.sort()).to.deep.equal(reachable(members, pairs));
  });

  it('need no deep recursion for a long chain', () => {
    const members = Array.from({ length: 50_000 }, (_, number) => `m${number}`);
    const pairs = members.slice(1).map((member, index) => [member, `m${index}`] as const);
    expect(clustersOf(members, pairs, 2)[0]).to.have.length(50_000);
  });
});

function reachable(members: readonly string[], pairs: readonly (readonly [string, string])[]): readonly string[] {
  const groups = new Set<string>();
  for (const start of members) {
    const group = new Set([start]);
    for (const id of group) {
      for (const [one, other] of pairs) {
        if (one === id) group.add(other);
        if (other === id) group.add(one);
      }
    }
    if (group.size > 1) groups.add([...group].sort().join());
  }
  return [...groups].sort();
}
