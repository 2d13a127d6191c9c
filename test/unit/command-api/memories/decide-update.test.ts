import { expect } from 'chai';
import { draftUpdate } from '../../../../command-api/memories/draft-memory.js';
import { decideUpdate } from '../../../../command-api/memories/update-memory.js';
import type { UpdateMemoryBody } from '../../../../shared/contract/commands.js';
import type { MemoryUpdatedData } from '../../../../shared/contract/events.js';
import { NotFoundError, PreconditionError } from '../../../../shared/kernel/errors.js';
import type { LoadedMemory } from '../../../../shared/ports/graph.js';
import { facts, LIMITS, loaded, memoryId, NOW } from '../fixtures.js';

type IfMatch = readonly number[] | '*' | null;

function patch(body: UpdateMemoryBody, state: LoadedMemory | undefined = loaded(), ifMatch: IfMatch = null) {
  return decideUpdate(state, draftUpdate(body, LIMITS, null), { ...facts(), ifMatch });
}

function updated(body: UpdateMemoryBody, state = loaded()): MemoryUpdatedData {
  const [event] = patch(body, state).events;
  if (event?.type !== 'memory.updated') throw new Error('The decision made no memory.updated.');
  return event.data;
}

describe('decideUpdate', () => {
  it('increases version and revision by one and carries the whole memory', () => {
    const [event] = patch({ importance: 0.8 }).events;

    expect(event).to.deep.include({ type: 'memory.updated', subject: memoryId(1), version: 4, revision: 3 });
    expect(event?.data).to.deep.equal({
      memory: { ...loaded().memory, importance: 0.8, updated_at: NOW },
      vectorRef: null,
      changed: ['importance', 'updated_at'],
    });
  });

  it('rejects a t_valid after the given or the stored t_invalid', () => {
    const ended = loaded({ t_valid: '2024-01-01T00:00:00+00:00', t_invalid: '2024-06-01T00:00:00+00:00' });
    expect(() => patch({ t_valid: '2025-01-01', t_invalid: '2024-01-01' })).to.throw('must not be after t_invalid');
    expect(() => patch({ t_valid: '2024-06-02' }, ended)).to.throw('must not be after t_invalid');
    expect(patch({ t_valid: '2024-06-01' }, ended).events).to.have.length(1);
    // t_valid may be a default, so the end may lie before it.
    expect(patch({ t_invalid: '2023-01-01' }, ended).events).to.have.length(1);
  });

  it('resets enrichment and vector when the content changes', () => {
    const { memory, vectorRef, changed } = updated({ content: ' New words ' }, loaded({}, { vectorRef: 'supplied:1' }));

    expect(vectorRef).to.equal(null);
    expect(memory).to.include({ content: 'New words', enriched: false, processed: false });
    expect(memory).to.not.have.any.keys('summary', 'enriched_at');
    expect(changed).to.include.members(['content', 'summary', 'enriched', 'updated_at']);
  });

  it('resets enrichment for changed tags or metadata and keeps summary and vector', () => {
    const state = loaded({}, { vectorRef: 'supplied:1' });

    for (const body of [{ tags: ['b/c'] }, { metadata: { source: 'mail' } }]) {
      const { memory, vectorRef } = updated(body, state);
      expect(memory).to.include({ enriched: false, processed: false, summary: 'Old' });
      expect(vectorRef).to.equal('supplied:1');
    }
    expect(updated({ tags: ['b/c'] }).memory.tag_prefixes).to.deep.equal(['b', 'b:c']);
  });

  it('keeps enrichment when content, tags and metadata stay the same', () => {
    const same = { content: 'Old words', tags: ['Team:Core'], metadata: { source: 'chat' } };

    const { memory, changed } = updated(same);

    expect(memory).to.include({ enriched: true, processed: true, enriched_at: '2024-01-02T00:00:00+00:00' });
    expect(changed).to.deep.equal(['updated_at']);
  });

  it('replaces metadata as a whole; null empties tags and metadata', () => {
    expect(updated({ metadata: { b: 2 } }).memory.metadata).to.deep.equal({ b: 2 });
    expect(updated({ metadata: null, tags: null }).memory).to.deep.include({
      metadata: {},
      tags: [],
      tag_prefixes: [],
    });
  });

  it('removes a validity bound that is null and keeps one that is absent', () => {
    const expired = loaded({ t_invalid: '2024-02-01T00:00:00+00:00' });

    expect(updated({ t_invalid: null }, expired).memory).to.not.have.property('t_invalid');
    expect(updated({ t_valid: null }, expired).memory).to.not.have.property('t_valid');
    expect(updated({ importance: 1 }, expired).memory).to.include({ t_invalid: '2024-02-01T00:00:00+00:00' });
  });

  it('uses a given updated_at', () => {
    expect(updated({ updated_at: '2024-03-03' }).memory.updated_at).to.equal('2024-03-03T00:00:00+00:00');
  });

  it('changes nothing for a body without a known field', () => {
    expect(patch({ surprise: 1 }).events).to.deep.equal([]);
  });

  it('refuses a memory that does not exist', () => {
    expect(() => decideUpdate(undefined, {}, { ...facts(), ifMatch: null })).to.throw(
      NotFoundError,
      'Memory not found',
    );
  });

  it('refuses another revision than the caller saw and names the current one', () => {
    expect(() => patch({}, loaded(), [1]))
      .to.throw(PreconditionError)
      .with.property('revision', 2);
    expect(patch({ importance: 1 }, loaded(), [1, 2]).events).to.have.length(1);
    expect(patch({ importance: 1 }, loaded(), '*').events).to.have.length(1);
  });
});

describe('draftUpdate', () => {
  it('applies the same rules as storing', () => {
    expect(() => draftUpdate({ content: ' ' }, LIMITS, null)).to.throw("'content' is required");
    expect(() => draftUpdate({ content: 'x'.repeat(2001) }, LIMITS, null)).to.throw('Content exceeds maximum length');
    expect(() => draftUpdate({ timestamp: 'soon' }, LIMITS, null)).to.throw('Invalid timestamp: Invalid ISO timestamp');
    expect(() => draftUpdate({ t_invalid: 'soon' }, LIMITS, null)).to.throw('Invalid t_invalid: Invalid ISO timestamp');
  });
});
