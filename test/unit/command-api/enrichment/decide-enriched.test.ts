import { expect } from 'chai';
import { decideEnriched } from '../../../../command-api/enrichment/decide-enriched.js';
import type { DerivedAssociation } from '../../../../shared/contract/association.js';
import type { EnrichmentResult } from '../../../../shared/contract/enrichment.js';
import type { MemoryEnrichedData } from '../../../../shared/contract/events.js';
import { METADATA_LIMIT_BYTES, TAG_LIMIT } from '../../../../shared/contract/limits.js';
import { facts, loaded, memoryId, NOW } from '../fixtures.js';

const ANN = { people: ['Ann Lee'] };
const fresh = (memory: Parameters<typeof loaded>[0] = {}) =>
  loaded(
    { enriched: false, processed: false, summary: undefined, enriched_at: undefined, ...memory },
    { vectorRef: 'supplied:1' },
  );

function result(overrides: Partial<EnrichmentResult> = {}): EnrichmentResult {
  return {
    kind: 'enriched',
    id: memoryId(1),
    expectedVersion: 3,
    causationId: 'cause',
    entities: {},
    summary: null,
    derived: [],
    findings: {},
    ...overrides,
  };
}

function derived(target: number, overrides: Partial<DerivedAssociation> = {}): DerivedAssociation {
  return { target: memoryId(target), type: 'SIMILAR_TO', strength: 0.9, properties: { score: 0.9 }, ...overrides };
}

function enriched(overrides: Partial<EnrichmentResult>, before = fresh()): MemoryEnrichedData {
  const [event] = decideEnriched(before, result(overrides), facts()).events;
  if (event?.type !== 'memory.enriched') throw new Error('The decision made no memory.enriched.');
  return event.data;
}

describe('decideEnriched', () => {
  it('moves the version and not the revision, and names what caused it', () => {
    const [event] = decideEnriched(fresh(), result(), facts({ causationId: 'cause' })).events;
    expect(event).to.deep.include({
      type: 'memory.enriched',
      subject: memoryId(1),
      version: 4,
      revision: 2,
      causationId: 'cause',
    });
  });

  it('marks the memory enriched, and leaves its words, its times and its vector alone', () => {
    const before = fresh();
    const { memory, vectorRef } = enriched({ summary: 'Shorter' }, before);
    expect(memory).to.include({ enriched: true, processed: true, enriched_at: NOW, summary: 'Shorter' });
    expect(memory).to.include({
      content: before.memory.content,
      updated_at: before.memory.updated_at,
      last_accessed: before.memory.last_accessed,
    });
    expect(vectorRef).to.equal('supplied:1');
  });

  it('keeps the summary where none was made', () => {
    expect(enriched({ summary: null }, fresh({ summary: 'Old' })).memory.summary).to.equal('Old');
  });

  it('names what changed, and that alone', () => {
    expect(enriched({}).changed).to.have.members(['metadata', 'enriched', 'enriched_at', 'processed']);
    expect(enriched({ entities: ANN }).changed).to.include.members(['tags', 'tag_prefixes', 'entities']);
  });

  describe('entities', () => {
    it('stand in their field, in metadata and as tags', () => {
      const { memory } = enriched({ entities: { tools: ['Redis', 'Kafka'], people: ['Ann Lee'], events: [] } });
      const found = { tools: ['Redis', 'Kafka'], people: ['Ann Lee'] };
      expect(memory.entities).to.deep.equal(found);
      expect(memory.metadata['entities']).to.deep.equal(found);
      expect(memory.tags).to.deep.equal([
        'Team:Core',
        'entity:people:ann-lee',
        'entity:tools:kafka',
        'entity:tools:redis',
      ]);
      expect(memory.tag_prefixes).to.include.members(['team:core', 'entity', 'entity:people', 'entity:people:ann-lee']);
    });

    it('that are not found any more go with their tags, while tags of the caller stay', () => {
      const before = fresh({
        tags: ['entity:people:ann-lee', 'entity:people:bob', 'own'],
        entities: ANN,
        metadata: { entities: ANN },
      });
      const { memory } = enriched({ entities: { tools: ['Redis'] } }, before);
      expect(memory.tags).to.deep.equal(['entity:people:bob', 'own', 'entity:tools:redis']);
      expect(memory.metadata['entities']).to.deep.equal({ tools: ['Redis'] });
    });

    it('leave no trace when none are left', () => {
      const { memory } = enriched(
        {},
        fresh({ tags: ['entity:people:ann-lee'], entities: ANN, metadata: { entities: ANN } }),
      );
      expect(memory).to.not.have.property('entities');
      expect(memory.metadata).to.not.have.property('entities');
      expect(memory.tags).to.deep.equal([]);
    });

    it('change nothing about tags when they are found again', () => {
      const once = enriched({ entities: ANN }).memory;
      expect(enriched({ entities: ANN }, fresh(once)).memory.tags).to.deep.equal(once.tags);
    });

    it('get no second tag beside the same one in another spelling', () => {
      expect(enriched({ entities: ANN }, fresh({ tags: ['Entity/People/Ann-Lee'] })).memory.tags).to.deep.equal([
        'Entity/People/Ann-Lee',
      ]);
    });

    it('keep the categories that a caller stated', () => {
      const { memory } = enriched(
        { entities: ANN },
        fresh({ metadata: { entities: { places: ['Oslo'], people: ['Bo'] } } }),
      );
      expect(memory.metadata['entities']).to.deep.equal({ places: ['Oslo'], people: ['Ann Lee'] });
      expect(memory.entities).to.deep.equal(ANN);
    });

    it('leave alone what a caller states under their name in a form of his own', () => {
      expect(
        enriched({ entities: ANN }, fresh({ metadata: { entities: 'none' } })).memory.metadata['entities'],
      ).to.equal('none');
    });

    it("go without a tag beyond the limit of tags, and never take the place of a caller's", () => {
      const own = Array.from({ length: TAG_LIMIT - 1 }, (_, index) => `own-${index}`);
      const { memory } = enriched({ entities: { tools: ['Redis', 'Kafka'] } }, fresh({ tags: own }));
      expect(memory.tags).to.deep.equal([...own, 'entity:tools:kafka']);
    });
  });

  describe('metadata', () => {
    it('says when and what was found, beside what the caller wrote', () => {
      const { metadata } = enriched({ findings: { temporal_links: 2 } }).memory;
      expect(metadata).to.deep.equal({
        source: 'chat',
        enriched_at: NOW,
        enrichment: { temporal_links: 2, last_run: NOW },
      });
    });

    it('goes without what does not fit, and loses nothing of the caller', () => {
      const text = 'x'.repeat(METADATA_LIMIT_BYTES - 200);
      const { metadata } = enriched(
        { entities: ANN, findings: { long: 'y'.repeat(300) } },
        fresh({ metadata: { text } }),
      ).memory;
      expect(metadata).to.deep.equal({ text, enriched_at: NOW, entities: ANN });
    });

    it('keeps no findings of an earlier run where there is no room for those of this one', () => {
      const text = 'x'.repeat(METADATA_LIMIT_BYTES - 200);
      const { metadata } = enriched(
        { findings: { long: 'y'.repeat(300) } },
        fresh({ metadata: { text, enrichment: { last_run: 'earlier' } } }),
      ).memory;
      expect(metadata).to.deep.equal({ text, enriched_at: NOW });
    });
  });

  it('derives a set: each association once, and none of the memory with itself', () => {
    const second = derived(2, { strength: 0.1 });
    const { derived: set } = enriched({
      derived: [derived(2), second, derived(1), derived(2, { type: 'PRECEDED_BY' })],
    });
    expect(set).to.deep.equal([derived(2), derived(2, { type: 'PRECEDED_BY' })]);
  });
});
