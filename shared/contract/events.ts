/** Every event type, its data and its schema version. What is written here once is in journals for ever: only add. */
import type { Association, DerivedAssociation } from './association.js';
import type { Envelope } from './envelope.js';
import type { Memory } from './memory.js';

/** A memory event carries the whole state after it, so that a newer event supersedes an older one. */
export type MemoryState = {
  readonly memory: Memory;
  /** Where a supplied embedding is found in the embedding cache; null when the text is to be embedded. */
  readonly vectorRef: string | null;
};

export type MemoryStoredData = MemoryState & {
  readonly changed: readonly string[];
  /** Set where the content is a summary of what the caller sent: the characters (code points) that it had. */
  readonly originalLength?: number;
};
export type MemoryUpdatedData = MemoryState & { readonly changed: readonly string[] };
/** `derived` is the whole set of associations that the memory owns from now on: it takes the place of the one before. */
export type MemoryEnrichedData = MemoryUpdatedData & { readonly derived: readonly DerivedAssociation[] };
/** Somebody asked for it; `forced` whatever was done before. */
export type EnrichmentRequestedData = MemoryUpdatedData & { readonly forced: boolean };
export type EnrichmentFailedData = MemoryUpdatedData & { readonly attempts: number; readonly error: string };
export type MemoryDeletedData = Record<string, never>;
export type AssociationData = { readonly association: Association; readonly changed: readonly string[] };

export type EventBody =
  | { readonly type: 'memory.stored'; readonly data: MemoryStoredData }
  | { readonly type: 'memory.updated'; readonly data: MemoryUpdatedData }
  | { readonly type: 'memory.enriched'; readonly data: MemoryEnrichedData }
  | { readonly type: 'memory.enrichment.requested'; readonly data: EnrichmentRequestedData }
  | { readonly type: 'memory.enrichment.failed'; readonly data: EnrichmentFailedData }
  | { readonly type: 'memory.deleted'; readonly data: MemoryDeletedData }
  | { readonly type: 'association.created'; readonly data: AssociationData }
  | { readonly type: 'association.updated'; readonly data: AssociationData };

export type EventType = EventBody['type'];

/** Events that carry the whole state of a memory after them. */
export const STATE_EVENTS = [
  'memory.stored',
  'memory.updated',
  'memory.enriched',
  'memory.enrichment.requested',
  'memory.enrichment.failed',
] as const satisfies readonly EventType[];

/** The schema version that each type is written in today. */
export const SCHEMA_VERSIONS = {
  'memory.stored': 1,
  'memory.updated': 1,
  'memory.enriched': 1,
  'memory.enrichment.requested': 1,
  'memory.enrichment.failed': 1,
  'memory.deleted': 1,
  'association.created': 1,
  'association.updated': 1,
} as const satisfies Record<EventType, number>;

type EnvelopeOf<B> = B extends EventBody ? Omit<Envelope, 'type'> & B : never;
/** An event that a decision made and no journal holds yet. */
export type NewEvent = EnvelopeOf<EventBody>;

type Recorded<B> = B extends EventBody
  ? Omit<Envelope, 'type'> & { readonly type: B['type']; readonly data: B['data'] | null; readonly position: number }
  : never;
/** An event as the journal holds it: with its position, and `data: null` once its words have been erased. */
export type RecordedEvent = Recorded<EventBody>;

/** All that happens to a memory itself: what an index of memories follows. */
export const MEMORY_EVENTS = [...STATE_EVENTS, 'memory.deleted'] as const satisfies readonly EventType[];

export type StateEvent = Extract<RecordedEvent, { readonly type: (typeof STATE_EVENTS)[number] }>;

export function isStateEvent(event: RecordedEvent): event is StateEvent {
  return (STATE_EVENTS as readonly string[]).includes(event.type);
}

/** What processes tell each other and nobody keeps: lossy by design, never journalled. */
export type Recalled = { readonly kind: 'recalled'; readonly ids: readonly string[]; readonly at: string };
/** Something for whoever watches the live stream: `type`, `data` and time as its frame has them. */
export type Watched = {
  readonly kind: 'watched';
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
};
export type Activity = Recalled | Watched;
