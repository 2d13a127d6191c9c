import { expect } from 'chai';
import { decideFailed } from '../../../../command-api/enrichment/decide-failed.js';
import { facts, loaded, memoryId } from '../fixtures.js';

describe('decideFailed', () => {
  it('says how often it was tried and why it failed, and leaves the memory as it is', () => {
    const before = loaded({ enriched: false, processed: false });
    const failure = {
      kind: 'failed',
      id: memoryId(1),
      expectedVersion: 3,
      causationId: 'cause',
      attempts: 3,
      error: 'no answer',
    } as const;
    const [event] = decideFailed(before, failure, facts()).events;
    expect(event).to.deep.include({ type: 'memory.enrichment.failed', version: 4, revision: 2 });
    expect(event?.data).to.deep.equal({
      memory: before.memory,
      vectorRef: null,
      changed: [],
      attempts: 3,
      error: 'no answer',
    });
  });
});
