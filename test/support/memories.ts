/** Memories, associations and their events for tests: numbered ids, a fixed clock, overrides for what a test is about. */
import type { Association, AssociationType } from '../../shared/contract/association.js';
import { associationSubject } from '../../shared/contract/association.js';
import type { EventBody, RecordedEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { tagPrefixes } from '../../shared/text/tags.js';

export function memoryId(number: number): MemoryId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as MemoryId; // a UUID in lower case
}

/** Noon of a day of 2024, counted from its first. */
export function day(number: number): Timestamp {
  return new Date(Date.UTC(2024, 0, number, 12)).toISOString().replace('Z', '000+00:00');
}

export function memory(number: number, overrides: Partial<Memory> = {}): Memory {
  const tags = overrides.tags ?? [];
  return {
    id: memoryId(number),
    content: `Note number ${number}`,
    type: 'Context',
    confidence: 0.9,
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance: 0.5,
    metadata: {},
    timestamp: day(1),
    updated_at: day(1),
    last_accessed: day(1),
    enriched: false,
    processed: false,
    ...overrides,
  };
}

export function association(source: number, target: number, overrides: Partial<Association> = {}): Association {
  return {
    source: memoryId(source),
    target: memoryId(target),
    type: 'RELATES_TO',
    strength: 0.5,
    properties: {},
    created_at: day(1),
    updated_at: day(1),
    ...overrides,
  };
}

export function stored(of: Memory, version = 1, changed: readonly string[] = []): RecordedEvent {
  return recorded(of.id, version, { type: 'memory.stored', data: { memory: of, vectorRef: null, changed } });
}

export function updated(of: Memory, version: number, changed: readonly string[] = []): RecordedEvent {
  return recorded(of.id, version, { type: 'memory.updated', data: { memory: of, vectorRef: null, changed } });
}

export function deleted(number: number, version: number): RecordedEvent {
  return recorded(memoryId(number), version, { type: 'memory.deleted', data: {} });
}

export function associated(of: Association, version = 1): RecordedEvent {
  return recorded(associationSubject(of), version, {
    type: version === 1 ? 'association.created' : 'association.updated',
    data: { association: of, changed: [] },
  });
}

/** The same event after its words were erased. */
export function erased(event: RecordedEvent): RecordedEvent {
  return { ...event, data: null };
}

export function superseded(old: number, by: number, type: AssociationType = 'INVALIDATED_BY'): RecordedEvent {
  return associated(association(old, by, { type }));
}

function recorded(subject: string, version: number, body: EventBody): RecordedEvent {
  const envelope = {
    id: `${subject}#${version}`,
    schemaVersion: 1,
    subject,
    partitionKey: subject.slice(0, 36),
    version,
    revision: version,
    time: day(1),
    actor: { name: 'tester', tier: 'open', agent: null },
    correlationId: 'test',
    causationId: null,
    traceparent: null,
    tenant: null,
    position: version,
  } as const;
  return { ...envelope, ...body };
}
