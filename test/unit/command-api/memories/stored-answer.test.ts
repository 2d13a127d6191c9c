import { expect } from 'chai';
import type { Reading } from '../../../../command-api/memories/content-reader.js';
import { decideStore } from '../../../../command-api/memories/decide-store.js';
import type { MemoryDraft } from '../../../../command-api/memories/draft-memory.js';
import { batchAnswer, storedAnswer } from '../../../../command-api/memories/store-memory.js';
import { ConflictError } from '../../../../shared/kernel/errors.js';
import { context, draft, facts, memoryId, NOW, reading, recorded } from '../fixtures.js';

function event(given: Partial<MemoryDraft> = {}, read: Partial<Reading> = {}) {
  return recorded(decideStore(reading(read), draft(given), { ...facts(), memoryIds: [memoryId(1)] }).events[0]);
}

const PROVIDED = { vector: Float32Array.of(1, 2, 3) };

describe('storedAnswer', () => {
  it("returns the memory's fields of the contract, with its revision as the ETag", () => {
    const { status, headers, body } = storedAnswer(event({ metadata: { a: 1 } }), 'queued', context());

    expect(status).to.equal(201);
    expect(headers).to.deep.equal({ ETag: '"1"' });
    expect(body).to.have.property('query_time_ms').that.is.a('number');
    expect({ ...(body as object), query_time_ms: 0 }).to.deep.equal({
      status: 'success',
      memory_id: memoryId(1),
      stored_at: NOW,
      type: 'Decision',
      confidence: 0.9,
      qdrant: 'queued',
      embedding_status: 'queued',
      enrichment: 'queued',
      metadata: { a: 1 },
      timestamp: NOW,
      updated_at: NOW,
      last_accessed: NOW,
      query_time_ms: 0,
    });
  });

  for (const [state, qdrant] of [
    ['stored', 'stored'],
    ['failed', 'failed'],
    ['queued', 'queued'],
    ['unavailable', null],
    ['unconfigured', null],
  ] as const) {
    it(`reports ${String(qdrant)} for a supplied embedding with the state ${state}`, () => {
      expect(storedAnswer(event(PROVIDED), state, context()).body).to.include({ qdrant, embedding_status: 'provided' });
    });
  }

  it('reports a skipped embedding without an index', () => {
    expect(storedAnswer(event(), 'unconfigured', context()).body).to.include({
      qdrant: 'unconfigured',
      embedding_status: 'skipped',
    });
  });

  it("reports summary lengths, but not for a caller's own metadata", () => {
    const given = { content: 'Long 😀', metadata: { was_summarized: true, original_length: 9 } };

    expect(storedAnswer(event(given, { summary: 'Short' }), 'queued', context()).body).to.include({
      summarized: true,
      original_length: 6,
      summarized_length: 5,
    });
    expect(storedAnswer(event(given), 'queued', context()).body).to.not.have.property('summarized');
  });

  it('refuses to answer for an erased memory', () => {
    expect(() => storedAnswer({ ...event(), data: null } as ReturnType<typeof event>, 'queued', context())).to.throw(
      ConflictError,
      'deleted since',
    );
  });
});

describe('batchAnswer', () => {
  const events = [event(), event(), event()];

  for (const [states, qdrant] of [
    [['stored', 'stored', 'stored'], 'stored (3)'],
    [['stored', 'queued', 'failed'], 'stored (1), queued (2)'],
    [['queued', 'failed', 'queued'], 'queued'],
    [['unavailable', 'unavailable', 'unavailable'], 'queued'],
    [['unconfigured', 'unconfigured', 'unconfigured'], 'unconfigured'],
  ] as const) {
    it(`reports ${qdrant} for ${states.join(', ')}`, () => {
      expect(batchAnswer(events, states, context()).body).to.deep.include({
        status: 'success',
        stored: 3,
        memory_ids: events.map(({ subject }) => subject),
        qdrant,
        enrichment: 'queued',
      });
    });
  }
});
