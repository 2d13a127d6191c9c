import { expect } from 'chai';
import { decideEnriched, decideFailed } from '../../../../command-api/enrichment/decide-enrichment.js';
import type { DerivedAssociation } from '../../../../shared/contract/association.js';
import type { EnrichmentResult } from '../../../../shared/contract/enrichment.js';
import type { MemoryEnrichedData } from '../../../../shared/contract/events.js';
import { METADATA_LIMIT_BYTES, TAG_LIMIT } from '../../../../shared/contract/limits.js';
import type { LoadedMemory } from '../../../../shared/ports/graph.js';
import { facts, loaded, memoryId, NOW } from '../fixtures.js';

const ANN = { people: ['Ann Lee'] };
function fresh(memory: Parameters<typeof loaded>[0] = {}): LoadedMemory {
  const record = loaded({ enriched: false, processed: false }, { vectorRef: 'supplied:1' });
  const { summary, enriched_at, ...neverEnriched } = record.memory;
  return { ...record, memory: { ...neverEnriched, ...memory } };
}

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
  it('increases the version, keeps the revision and names the causing event', () => {
    const [event] = decideEnriched(fresh(), result(), facts({ causationId: 'cause' })).events;
    expect(event).to.deep.include({
      type: 'memory.enriched',
      subject: memoryId(1),
      version: 4,
      revision: 2,
      causationId: 'cause',
    });
  });

  it('marks the memory as enriched and keeps its content, times and vector', () => {
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

  it('keeps the summary when the result has none', () => {
    expect(enriched({ summary: null }, fresh({ summary: 'Old' })).memory.summary).to.equal('Old');
  });

  it('lists only the changed properties', () => {
    expect(enriched({}).changed).to.have.members(['metadata', 'enriched', 'enriched_at', 'processed']);
    expect(enriched({ entities: ANN }).changed).to.include.members(['tags', 'tag_prefixes', 'entities']);
  });

  describe('entities', () => {
    it('are stored in their field, in metadata and as tags', () => {
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

    it("lose their tags when no longer found; the caller's tags stay", () => {
      const before = fresh({
        tags: ['entity:people:ann-lee', 'entity:people:bob', 'own'],
        entities: ANN,
        metadata: { entities: ANN },
      });
      const { memory } = enriched({ entities: { tools: ['Redis'] } }, before);
      expect(memory.tags).to.deep.equal(['entity:people:bob', 'own', 'entity:tools:redis']);
      expect(memory.metadata['entities']).to.deep.equal({ tools: ['Redis'] });
    });

    it('are removed everywhere when none are left', () => {
      const { memory } = enriched(
        {},
        fresh({ tags: ['entity:people:ann-lee'], entities: ANN, metadata: { entities: ANN } }),
      );
      expect(memory).to.not.have.property('entities');
      expect(memory.metadata).to.not.have.property('entities');
      expect(memory.tags).to.deep.equal([]);
    });

    it('do not change tags when they are found again', () => {
      const once = enriched({ entities: ANN }).memory;
      expect(enriched({ entities: ANN }, fresh(once)).memory.tags).to.deep.equal(once.tags);
    });

    it('get no second tag when the same tag exists in another spelling', () => {
      expect(enriched({ entities: ANN }, fresh({ tags: ['Entity/People/Ann-Lee'] })).memory.tags).to.deep.equal([
        'Entity/People/Ann-Lee',
      ]);
    });

    it('keep the categories that a caller stored', () => {
      const { memory } = enriched(
        { entities: ANN },
        fresh({ metadata: { entities: { places: ['Oslo'], people: ['Bo'] } } }),
      );
      expect(memory.metadata['entities']).to.deep.equal({ places: ['Oslo'], people: ['Ann Lee'] });
      expect(memory.entities).to.deep.equal(ANN);
    });

    it("keep a caller's own `entities` value of another shape", () => {
      expect(
        enriched({ entities: ANN }, fresh({ metadata: { entities: 'none' } })).memory.metadata['entities'],
      ).to.equal('none');
    });

    it("get no tag above the limit and never replace a caller's tag", () => {
      const own = Array.from({ length: TAG_LIMIT - 1 }, (_, index) => `own-${index}`);
      const { memory } = enriched({ entities: { tools: ['Redis', 'Kafka'] } }, fresh({ tags: own }));
      expect(memory.tags).to.deep.equal([...own, 'entity:tools:kafka']);
    });
  });

  describe('metadata', () => {
    it("gets the time and the findings next to the caller's properties", () => {
      const { metadata } = enriched({ findings: { temporal_links: 2 } }).memory;
      expect(metadata).to.deep.equal({
        source: 'chat',
        enriched_at: NOW,
        enrichment: { temporal_links: 2, last_run: NOW },
      });
    });

    it('leaves out findings that do not fit and keeps those of the caller', () => {
      const text = 'x'.repeat(METADATA_LIMIT_BYTES - 200);
      const { metadata } = enriched(
        { entities: ANN, findings: { long: 'y'.repeat(300) } },
        fresh({ metadata: { text } }),
      ).memory;
      expect(metadata).to.deep.equal({ text, enriched_at: NOW, entities: ANN });
    });

    it('drops the findings of an earlier run when the new ones do not fit', () => {
      const text = 'x'.repeat(METADATA_LIMIT_BYTES - 200);
      const { metadata } = enriched(
        { findings: { long: 'y'.repeat(300) } },
        fresh({ metadata: { text, enrichment: { last_run: 'earlier' } } }),
      ).memory;
      expect(metadata).to.deep.equal({ text, enriched_at: NOW });
    });
  });

  it('derives each association once and none of the memory with itself', () => {
    const second = derived(2, { strength: 0.1 });
    const { derived: set } = enriched({
      derived: [derived(2), second, derived(1), derived(2, { type: 'PRECEDED_BY' })],
    });
    expect(set).to.deep.equal([derived(2), derived(2, { type: 'PRECEDED_BY' })]);
  });
});

describe('decideFailed', () => {
  it('records attempts and error and keeps the memory', () => {
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
