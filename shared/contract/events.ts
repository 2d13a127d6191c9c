/** Every event type, with its CloudEvent. Journals contain them permanently: only add, never change. */
import type { Association, DerivedAssociation, SummarizingAssociation } from './association.js';
import type { EntityRecord } from './entities/entity.js';
import type { Envelope } from './envelope.js';
import type { Memory, Timestamp } from './memory.js';

/** A memory event carries the whole state after the change, so a newer event replaces an older one. */
export type MemoryState = {
  readonly memory: Memory;
  /** Reference of a supplied embedding in the embedding cache; null when the service embeds the content. */
  readonly vectorRef: string | null;
};

export type MemoryStoredData = MemoryState & {
  readonly changed: readonly string[];
  /** Present when the content is a summary: the length of the original text in characters (code points). */
  readonly originalLength?: number;
};
export type MemoryUpdatedData = MemoryState & { readonly changed: readonly string[] };
/** `derived`: all derived associations of the memory; they replace the previous ones. */
export type MemoryEnrichedData = MemoryUpdatedData & { readonly derived: readonly DerivedAssociation[] };
/** A caller requested enrichment; `forced`: even if this version was enriched before. */
export type EnrichmentRequestedData = MemoryUpdatedData & { readonly forced: boolean };
export type EnrichmentFailedData = MemoryUpdatedData & { readonly attempts: number; readonly error: string };
/** Relevance, archiving and restoring, with the reason in words. */
export type MemoryConsolidatedData = MemoryUpdatedData & { readonly reason: string };
/** A meta memory with its whole cluster: `derived` replaces the previous members. */
export type ClusterChangedData = MemoryConsolidatedData & { readonly derived: readonly SummarizingAssociation[] };
/** `reason`: present when consolidation deleted the memory. */
export type MemoryDeletedData = { readonly reason?: string };
/** `reason`: present when consolidation found the association. */
export type AssociationData = {
  readonly association: Association;
  readonly changed: readonly string[];
  readonly reason?: string;
};

/** The whole record after the event. `reason`: present when consolidation made the change. */
export type EntityData = {
  readonly entity: EntityRecord;
  readonly changed: readonly string[];
  readonly reason?: string;
};

/** A key without its secret. */
export type KeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tag: string | null;
  readonly expires_at: Timestamp | null;
  readonly requests_per_minute: number | null;
  /** Until when the secret before a rotation works as well. */
  readonly previous_until: Timestamp | null;
};
/** The key after the change; a revoked one as it was before. */
export type KeyData = { readonly key: KeyRecord };

export type EventBody =
  | { readonly type: 'memory.stored'; readonly data: MemoryStoredData }
  | { readonly type: 'memory.updated'; readonly data: MemoryUpdatedData }
  | { readonly type: 'memory.enriched'; readonly data: MemoryEnrichedData }
  | { readonly type: 'memory.enrichment.requested'; readonly data: EnrichmentRequestedData }
  | { readonly type: 'memory.enrichment.failed'; readonly data: EnrichmentFailedData }
  | { readonly type: 'memory.relevance.changed'; readonly data: MemoryConsolidatedData }
  | { readonly type: 'memory.archived'; readonly data: MemoryConsolidatedData }
  | { readonly type: 'memory.restored'; readonly data: MemoryConsolidatedData }
  | { readonly type: 'memory.cluster.changed'; readonly data: ClusterChangedData }
  | { readonly type: 'memory.deleted'; readonly data: MemoryDeletedData }
  | { readonly type: 'association.created'; readonly data: AssociationData }
  | { readonly type: 'association.updated'; readonly data: AssociationData }
  | { readonly type: 'entity.merged'; readonly data: EntityData }
  | { readonly type: 'entity.updated'; readonly data: EntityData }
  | { readonly type: 'key.created'; readonly data: KeyData }
  | { readonly type: 'key.rotated'; readonly data: KeyData }
  | { readonly type: 'key.revoked'; readonly data: KeyData };

export type EventType = EventBody['type'];

/** Events that carry all associations that a memory owns. A later event of the memory keeps them. */
export const OWNING_EVENTS = ['memory.enriched', 'memory.cluster.changed'] as const satisfies readonly EventType[];

/** Events that carry the whole state of a memory. */
export const STATE_EVENTS = [
  'memory.stored',
  'memory.updated',
  'memory.enriched',
  'memory.enrichment.requested',
  'memory.enrichment.failed',
  'memory.relevance.changed',
  'memory.archived',
  'memory.restored',
  'memory.cluster.changed',
] as const satisfies readonly EventType[];

/** Changes of keys: for an audit trail. No store follows them. */
export const KEY_EVENTS = ['key.created', 'key.rotated', 'key.revoked'] as const satisfies readonly EventType[];

/** The present schema version of each event type. */
export const SCHEMA_VERSIONS = {
  'memory.stored': 1,
  'memory.updated': 1,
  'memory.enriched': 1,
  'memory.enrichment.requested': 1,
  'memory.enrichment.failed': 1,
  'memory.relevance.changed': 1,
  'memory.archived': 1,
  'memory.restored': 1,
  'memory.cluster.changed': 1,
  'memory.deleted': 1,
  'association.created': 1,
  'association.updated': 1,
  'entity.merged': 1,
  'entity.updated': 1,
  'key.created': 1,
  'key.rotated': 1,
  'key.revoked': 1,
} as const satisfies Record<EventType, number>;

export const EVENT_TYPES = Object.keys(SCHEMA_VERSIONS) as readonly EventType[];

type EnvelopeOf<B> = B extends EventBody ? Omit<Envelope, 'type'> & B : never;
/** An event that is decided but not yet in the journal. */
export type NewEvent = EnvelopeOf<EventBody>;

type Recorded<B> = B extends EventBody
  ? Omit<Envelope, 'type'> & { readonly type: B['type']; readonly data: B['data'] | null; readonly position: number }
  : never;
/** An event in the journal: with its position, and with `data: null` once its content is erased. */
export type RecordedEvent = Recorded<EventBody>;

/** Every event of memories, without associations: the events that an index of memories follows. */
export const MEMORY_EVENTS = [...STATE_EVENTS, 'memory.deleted'] as const satisfies readonly EventType[];

export type StateEvent = Extract<RecordedEvent, { readonly type: (typeof STATE_EVENTS)[number] }>;

export function isStateEvent(event: RecordedEvent): event is StateEvent {
  return (STATE_EVENTS as readonly string[]).includes(event.type);
}

/** Activity: messages between processes that are never journalled. Lossy by design. */
export type Recalled = { readonly kind: 'recalled'; readonly ids: readonly string[]; readonly at: string };
/** Activity for the clients of the live stream, with the `type`, `data` and time of its frame. */
export type Watched = {
  readonly kind: 'watched';
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
};
/** For the vector indexer: these memories may have a wrong point, which it writes again from the graph. */
export type Reindex = { readonly kind: 'reindex'; readonly ids: readonly string[]; readonly at: string };
export type Activity = Recalled | Watched | Reindex;

export const CLOUD_EVENT_SOURCE = '/palimpsest';

export type CloudEvent = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: typeof CLOUD_EVENT_SOURCE;
  readonly type: RecordedEvent['type'];
  readonly subject: string;
  /** RFC 3339. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Absent once the content of the event is erased. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The position in the journal. Increases over all events, with gaps. */
  readonly position: number;
  /** Counts every event of the subject, from 1. */
  readonly version: number;
  readonly revision: number;
  /** The version of the schema of `data`. */
  readonly schemaversion: number;
  readonly partitionkey: string;
  readonly actorname: string;
  readonly actortier: RecordedEvent['actor']['tier'];
  readonly actoragent?: string;
  readonly correlationid: string;
  readonly causationid?: string;
  readonly traceparent?: string;
  readonly tenant?: string;
};

export function toCloudEvent(event: RecordedEvent): CloudEvent {
  const { actor, causationId, traceparent, tenant, data } = event;
  return {
    specversion: '1.0',
    id: event.id,
    source: CLOUD_EVENT_SOURCE,
    type: event.type,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    position: event.position,
    version: event.version,
    revision: event.revision,
    schemaversion: event.schemaVersion,
    partitionkey: event.partitionKey,
    actorname: actor.name,
    actortier: actor.tier,
    ...(actor.agent === null ? {} : { actoragent: actor.agent }),
    correlationid: event.correlationId,
    ...(causationId === null ? {} : { causationid: causationId }),
    ...(traceparent === null ? {} : { traceparent }),
    ...(tenant === null ? {} : { tenant }),
    ...(data === null ? {} : { data }),
  };
}
