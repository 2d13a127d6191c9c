/** Events with ids made from what they are about, ready to be committed or applied. Every builder takes overrides. */
import { createHash } from 'node:crypto';
import type { Association, AssociationType } from '../../shared/contract/association.js';
import { associationSubject } from '../../shared/contract/association.js';
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import { SCHEMA_VERSIONS } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { tagPrefixes } from '../../shared/text/tags.js';

export const SOME_TIME = '2024-01-01T10:00:00+00:00';

/** `00000000-0000-4000-8000-000000000007` for 7. */
export function numberedId(number: number): MemoryId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as MemoryId;
}

export function memory(number: number, overrides: Partial<Memory> = {}): Memory {
  const tags = overrides.tags ?? [];
  return {
    id: numberedId(number),
    content: `Content of memory ${number}`,
    type: 'Context',
    confidence: 0.9,
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance: 0.5,
    metadata: {},
    timestamp: SOME_TIME,
    updated_at: SOME_TIME,
    last_accessed: SOME_TIME,
    enriched: false,
    processed: false,
    ...overrides,
  };
}

export function stored(number: number, overrides: Partial<Memory> = {}, vectorRef: string | null = null): NewEvent {
  const data = { memory: memory(number, overrides), vectorRef, changed: Object.keys(memory(number)) };
  return { ...memoryEnvelope(number, 1), type: 'memory.stored', schemaVersion: SCHEMA_VERSIONS['memory.stored'], data };
}

export function updated(number: number, version: number, overrides: Partial<Memory> = {}): NewEvent {
  const data = { memory: memory(number, overrides), vectorRef: null, changed: Object.keys(overrides) };
  return {
    ...memoryEnvelope(number, version),
    type: 'memory.updated',
    schemaVersion: SCHEMA_VERSIONS['memory.updated'],
    data,
  };
}

export function deleted(number: number, version: number): NewEvent {
  return {
    ...memoryEnvelope(number, version),
    type: 'memory.deleted',
    schemaVersion: SCHEMA_VERSIONS['memory.deleted'],
    data: {},
  };
}

export function associated(
  source: number,
  target: number,
  {
    version = 1,
    type = 'RELATES_TO',
    ...overrides
  }: Partial<Association> & {
    readonly version?: number;
    readonly type?: AssociationType;
  } = {},
): NewEvent {
  const association: Association = {
    source: numberedId(source),
    target: numberedId(target),
    type,
    strength: 0.5,
    properties: {},
    created_at: SOME_TIME,
    updated_at: SOME_TIME,
    ...overrides,
  };
  const subject = associationSubject(association);
  const common = {
    ...envelope(subject, version),
    partitionKey: association.source,
    data: { association, changed: ['strength'] },
  };
  return version === 1
    ? { ...common, type: 'association.created', schemaVersion: SCHEMA_VERSIONS['association.created'] }
    : { ...common, type: 'association.updated', schemaVersion: SCHEMA_VERSIONS['association.updated'] };
}

/** The same event as the journal would hold it. */
export function recorded(event: NewEvent, position: number): RecordedEvent {
  // With its position a new event is a recorded one; the compiler cannot see it through a spread of the union.
  return { ...event, position } as RecordedEvent;
}

function memoryEnvelope(number: number, version: number) {
  return { ...envelope(numberedId(number), version), partitionKey: numberedId(number) };
}

function envelope(subject: string, version: number) {
  return {
    id: hashedId(`${subject} ${version}`),
    subject,
    version,
    revision: version,
    time: SOME_TIME,
    actor: { name: 'tester', tier: 'api', agent: null },
    correlationId: `request-${subject}-${version}`,
    causationId: null,
    traceparent: null,
    tenant: null,
  } as const;
}

/** The same UUID for the same text. */
function hashedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
