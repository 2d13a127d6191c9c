import { expect } from 'chai';
import { metadataTerms } from '../../../query-api/recall/metadata-terms.js';

describe('the words of metadata', () => {
  it('are those of the values, as a whole and one by one', () => {
    expect([...metadataTerms({ repo: 'Night Owl', nested: { list: ['jazz', 7] } })]).to.include.members([
      'night owl',
      'night',
      'owl',
      'jazz',
    ]);
  });

  it("are the caller's own, not what enrichment found", () => {
    const found = {
      enrichment: { patterns_detected: [{ type: 'Habit', key_terms: ['lunch'] }] },
      enriched_at: '2024-06-01T00:00:00+00:00',
      entities: { people: ['Ann'] },
    };
    expect([...metadataTerms(found)]).to.deep.equal([]);
  });
});
