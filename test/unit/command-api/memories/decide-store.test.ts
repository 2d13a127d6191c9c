import { expect } from 'chai';
import { decideBatch, decideStore } from '../../../../command-api/memories/decide-store.js';
import { draftMemory } from '../../../../command-api/memories/draft-memory.js';
import type { MemoryStoredData } from '../../../../shared/contract/events.js';
import { microsecondsBefore } from '../../../../shared/kernel/clock.js';
import { rejection } from '../../../support/checks/rejection.js';
import { draft, facts, LIMITS, memoryId, NOW, reading } from '../fixtures.js';

const storeFacts = () => ({ ...facts(), memoryIds: [memoryId(1), memoryId(2)] });

describe('decideStore', () => {
  it('creates one event with the whole memory at version 1', () => {
    const { events, requires } = decideStore(reading(), draft({ tags: ['Project/Foo:Bar'] }), storeFacts());

    expect(events).to.have.length(1);
    expect(requires).to.deep.equal([]);
    expect(events[0]).to.deep.include({
      id: 'event-0',
      type: 'memory.stored',
      schemaVersion: 1,
      subject: memoryId(1),
      partitionKey: memoryId(1),
      version: 1,
      revision: 1,
      time: NOW,
      correlationId: 'request-1',
      causationId: null,
      tenant: null,
    });
    expect(events[0]?.data).to.deep.include({
      vectorRef: null,
      memory: {
        id: memoryId(1),
        content: 'Tests wait on conditions',
        type: 'Decision',
        confidence: 0.9,
        tags: ['Project/Foo:Bar'],
        tag_prefixes: ['project', 'project:foo', 'project:foo:bar'],
        importance: 0.5,
        metadata: {},
        timestamp: NOW,
        updated_at: NOW,
        last_accessed: NOW,
        t_valid: NOW,
        enriched: false,
        processed: false,
      },
    });
  });

  it('measures an event of ordinary size without serializing it', () => {
    let serialized = 0;
    const counting = { toJSON: () => (serialized += 1) };
    decideStore(reading(), draft({ metadata: { counting } }), storeFacts());
    expect(serialized).to.equal(0);
  });

  it('derives updated_at, last_accessed and t_valid from the timestamp', () => {
    const given = draft({ timestamp: '2023-01-01T00:00:00+00:00', updated_at: '2023-05-05T00:00:00+00:00' });

    const { events } = decideStore(reading(), given, storeFacts());

    expect(events[0]?.data).to.have.property('memory').that.includes({
      timestamp: '2023-01-01T00:00:00+00:00',
      updated_at: '2023-05-05T00:00:00+00:00',
      last_accessed: '2023-05-05T00:00:00+00:00',
      t_valid: '2023-01-01T00:00:00+00:00',
    });
  });

  it('keeps the original of a summarised content in metadata', () => {
    const { events } = decideStore(
      reading({ summary: 'Short' }),
      draft({ content: 'Long 😀', metadata: { a: 1 } }),
      storeFacts(),
    );

    const data = events[0]?.data;
    expect(data).to.include({ originalLength: 6 });
    expect(data)
      .to.have.property('memory')
      .that.deep.includes({
        content: 'Short',
        metadata: { a: 1, original_content: 'Long 😀', was_summarized: true, original_length: 6 },
      });
  });

  it('refers to a supplied embedding by its hash', async () => {
    const vector = Float32Array.of(1, 2, 3);

    const { events, vectors } = await decideBatch(
      [reading(), reading()],
      [draft({ vector }), draft({ vector: vector.slice() })],
      storeFacts(),
    );

    expect(vectors.map((supplied) => supplied.memoryId)).to.deep.equal([memoryId(1), memoryId(2)]);
    expect(vectors[0]?.ref)
      .to.match(/^supplied:[0-9a-f]{64}$/u)
      .and.equal(vectors[1]?.ref);
    expect(events[0]?.data).to.include({ vectorRef: vectors[0]?.ref });
  });

  it('creates an event for each draft of a batch, in order', async () => {
    const drafts = [draft({ content: 'one' }), draft({ content: 'two' })];

    const { events } = await decideBatch([reading(), reading()], drafts, storeFacts());

    expect(events.map(({ id, subject }) => [id, subject])).to.deep.equal([
      ['event-0', memoryId(1)],
      ['event-1', memoryId(2)],
    ]);
  });

  it('orders the memories of a batch by time, unless the caller gives times', async () => {
    const given = '2023-01-01T00:00:00+00:00';
    const drafts = [draft(), draft({ timestamp: given }), draft()];
    const all = { ...facts(), memoryIds: [memoryId(1), memoryId(2), memoryId(3)] };

    const { events } = await decideBatch([reading(), reading(), reading()], drafts, all);

    const times = events.map(({ data }) => (data as MemoryStoredData).memory.timestamp);
    expect(times).to.deep.equal([microsecondsBefore(NOW, 2), given, NOW]);
  });

  it('refuses a memory that is too large for the stream', async () => {
    const parts = (tag: number): string => `${tag}:${'a:'.repeat(126)}`.slice(0, 256);
    const tags = Array.from({ length: 100 }, (_, tag) => parts(tag));

    expect(() => decideStore(reading(), draft({ tags }), storeFacts())).to.throw(
      /^The change is too large: its event has/u,
    );
    const batch = decideBatch([reading(), reading()], [draft(), draft({ tags })], storeFacts());
    expect(await rejection(batch))
      .to.have.property('message')
      .that.match(/^Memory at index 1 is invalid: The change is too large: its event has/u);
  });
});

describe('draftMemory', () => {
  it("gives a caller's type the confidence 0.9 unless the caller sends one", () => {
    expect(draftMemory({ content: 'x', type: 'Style' }, LIMITS, null)).to.include({ type: 'Style', confidence: 0.9 });
    expect(draftMemory({ content: 'x', type: 'Style', confidence: 0.2 }, LIMITS, null)).to.include({ confidence: 0.2 });
  });

  it('names the first error in the order of the contract', () => {
    const faulty = { content: 'x', t_valid: 'never', embedding: [1], timestamp: 'never' };
    expect(() => draftMemory(faulty, LIMITS, null)).to.throw('Invalid t_valid');
    expect(() => draftMemory({ ...faulty, t_valid: '' }, LIMITS, null)).to.throw('exactly 3 values');
    expect(() => draftMemory({ content: 'x', timestamp: 'never' }, LIMITS, null)).to.throw(/^Invalid ISO timestamp$/u);
  });
});
