import { expect } from 'chai';
import { decidePattern, NO_TOMBSTONE } from '../../../../command-api/memories/decide-meta-memory.js';
import type { ObservedPattern } from '../../../../shared/contract/enrichment.js';
import { facts, loaded, memoryId, NOW } from '../fixtures.js';

const pattern: ObservedPattern = {
  kind: 'pattern',
  id: memoryId(1),
  expectedVersion: 0,
  causationId: 'cause',
  content: 'Deploys on Friday',
  confidence: 0.4,
  metadata: { observations: 3 },
};
const known = (memory = {}) =>
  loaded(
    { type: 'MetaPattern', content: 'Deploys on Friday', confidence: 0.4, metadata: { observations: 3 }, ...memory },
    { vectorRef: 'supplied:1' },
  );

describe('decidePattern', () => {
  it('stores a new pattern as a memory that needs no enrichment', () => {
    const [event] = decidePattern(NO_TOMBSTONE, pattern, facts()).events;
    expect(event).to.deep.include({ type: 'memory.stored', subject: memoryId(1), version: 1, revision: 1 });
    expect(event?.data)
      .to.have.property('memory')
      .that.deep.includes({
        type: 'MetaPattern',
        content: 'Deploys on Friday',
        confidence: 0.4,
        metadata: { observations: 3 },
        enriched: true,
        processed: true,
        timestamp: NOW,
        tags: [],
      });
  });

  it('stores a deleted pattern again as the next version and revision', () => {
    const [event] = decidePattern({ version: 4, revision: 3 }, pattern, facts()).events;
    expect(event).to.deep.include({ type: 'memory.stored', version: 5, revision: 4 });
  });

  it('updates the content of an existing pattern and drops its vector reference', () => {
    const [event] = decidePattern(
      known({ tags: ['kept'] }),
      { ...pattern, content: 'Deploys on Monday' },
      facts(),
    ).events;
    expect(event).to.deep.include({ type: 'memory.updated', version: 4, revision: 2 });
    expect(event?.data).to.deep.include({ vectorRef: null, changed: ['content', 'updated_at'] });
    expect(event?.data)
      .to.have.property('memory')
      .that.deep.includes({ content: 'Deploys on Monday', updated_at: NOW, tags: ['kept'] });
  });

  it('keeps the vector reference when only the confidence changes', () => {
    const [event] = decidePattern(known(), { ...pattern, confidence: 0.45 }, facts()).events;
    expect(event?.data).to.deep.include({ vectorRef: 'supplied:1', changed: ['confidence', 'updated_at'] });
  });

  it('changes nothing for equal content, confidence and metadata', () => {
    expect(decidePattern(known(), pattern, facts()).events).to.deep.equal([]);
  });
});
