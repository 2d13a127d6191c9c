import { expect } from 'chai';
import { metadataTerms } from '../../../../../query-api/recall/score/metadata-terms.js';

describe('metadata terms', () => {
  it('are the values as a whole and their words', () => {
    expect([...metadataTerms({ repo: 'Night Owl', nested: { list: ['jazz', 7] } })]).to.include.members([
      'night owl',
      'night',
      'owl',
      'jazz',
    ]);
  });

  it('include an id as a whole, unless it is a number', () => {
    const terms = metadataTerms({
      source_id: '12',
      conversation_id: 'Chat-7/3',
      nested: { session_id: ' 3 ', other_ids: ['9'] },
    });
    expect([...terms]).to.deep.equal(['chat-7/3', '9']);
  });

  it('do not include findings of the enrichment', () => {
    const found = {
      enrichment: { patterns_detected: [{ type: 'Habit', key_terms: ['lunch'] }] },
      enriched_at: '2024-06-01T00:00:00+00:00',
      entities: { people: ['Ann'] },
    };
    expect([...metadataTerms(found)]).to.deep.equal([]);
  });
});
