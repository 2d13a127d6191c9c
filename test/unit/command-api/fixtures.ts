/** Fixtures of the command side's unit tests: facts, drafts and loaded records with overrides. */
import type { Facts } from '../../../command-api/decision.js';
import type { Reading } from '../../../command-api/memories/content-reader.js';
import type { MemoryDraft } from '../../../command-api/memories/draft-memory.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { RequestContext } from '../../../shared/http/handler.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';

export const NOW = '2024-06-01T12:00:00+00:00';
export const LIMITS = { contentHardLimit: 2000, vectorSize: 3 };

export function memoryId(number: number): MemoryId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as MemoryId;
}

export function facts(overrides: Partial<Facts> = {}): Facts {
  return {
    now: NOW,
    actor: { name: 'tester', tier: 'api', agent: null },
    correlationId: 'request-1',
    traceparent: null,
    eventIds: Array.from({ length: 10 }, (_, index) => `event-${index}`),
    ...overrides,
  };
}

export function context(overrides: Partial<RequestContext> = {}): RequestContext {
  return {
    requestId: 'request-1',
    actor: { name: 'tester', tier: 'api', agent: null },
    scopes: null,
    tag: null,
    traceparent: null,
    commandKey: null,
    requestHash: 'a'.repeat(64),
    lastEventId: null,
    cursorOf: String,
    fingerprint: 'b'.repeat(64),
    ifMatch: null,
    querystring: '',
    startedAt: performance.now(),
    signal: new AbortController().signal,
    endWork: () => undefined,
    ...overrides,
  };
}

export function draft(overrides: Partial<MemoryDraft> = {}): MemoryDraft {
  return {
    content: 'Tests wait on conditions',
    type: 'Decision',
    confidence: 0.9,
    tags: [],
    importance: 0.5,
    metadata: {},
    t_valid: null,
    t_invalid: null,
    vector: null,
    timestamp: null,
    updated_at: null,
    last_accessed: null,
    ...overrides,
  };
}

export function reading(overrides: Partial<Reading> = {}): Reading {
  return { summary: null, type: 'Decision', confidence: 0.9, ...overrides };
}

export function loaded(memory: Partial<Memory> = {}, rest: Partial<Omit<LoadedMemory, 'memory'>> = {}): LoadedMemory {
  return {
    memory: {
      id: memoryId(1),
      content: 'Old words',
      type: 'Decision',
      confidence: 0.9,
      tags: ['Team:Core'],
      tag_prefixes: ['team', 'team:core'],
      importance: 0.5,
      metadata: { source: 'chat' },
      timestamp: '2024-01-01T00:00:00+00:00',
      updated_at: '2024-01-01T00:00:00+00:00',
      last_accessed: '2024-01-01T00:00:00+00:00',
      t_valid: '2024-01-01T00:00:00+00:00',
      enriched: true,
      enriched_at: '2024-01-02T00:00:00+00:00',
      processed: true,
      summary: 'Old',
      ...memory,
    },
    vectorRef: null,
    version: 3,
    revision: 2,
    position: 1,
    ...rest,
  };
}

/** The event as the journal returns it. */
export function recorded(event: NewEvent | undefined, position = 1): RecordedEvent {
  if (!event) throw new Error('There is no event to record.');
  return { ...event, position };
}
