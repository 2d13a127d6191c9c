import { expect } from 'chai';
import type { Evidence } from '../../../query-api/recall/candidate.js';
import { shareOut } from '../../../query-api/recall/expand-entities.js';
import { memoryOf } from './memories.js';

/** Best first: the numbers count down the ranks. */
const ranked = (...entities: readonly string[]) =>
  entities.map((entity, rank) => ({
    memory: memoryOf(rank),
    evidence: [{ source: 'entity', entity } satisfies Evidence],
  }));
const kept = (entities: readonly string[], limit: number) =>
  shareOut(ranked(...entities), limit).map(({ evidence }) => evidence[0]?.entity);

describe('sharing out what entities led to', () => {
  it('keeps five of each, the best', () => {
    expect(kept(['ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'bob', 'ann'], 10)).to.deep.equal([
      'ann',
      'ann',
      'ann',
      'ann',
      'ann',
      'bob',
    ]);
  });

  it('cuts to the limit afterwards', () => {
    expect(kept(['ann', 'ann', 'bob', 'ann'], 3)).to.deep.equal(['ann', 'ann', 'bob']);
    expect(kept(['ann'], 0)).to.deep.equal([]);
  });
});
