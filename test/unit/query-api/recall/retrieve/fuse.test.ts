import { expect } from 'chai';
import { fuse } from '../../../../../query-api/recall/retrieve/fuse.js';
import { numberedId } from '../memories.js';

describe('fuse', () => {
  it('returns one candidate per memory, with the evidence of every source', () => {
    const vector = [{ id: numberedId(1), evidence: { source: 'vector', similarity: 0.8 } } as const];
    const keyword = [
      { id: numberedId(2), evidence: { source: 'keyword' } } as const,
      { id: numberedId(1), evidence: { source: 'keyword' } } as const,
    ];
    expect(fuse([vector, keyword])).to.deep.equal([
      { id: numberedId(1), evidence: [{ source: 'vector', similarity: 0.8 }, { source: 'keyword' }] },
      { id: numberedId(2), evidence: [{ source: 'keyword' }] },
    ]);
  });

  it('returns no candidates for no hits', () => expect(fuse([[], []])).to.deep.equal([]));
});
