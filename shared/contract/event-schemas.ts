/**
 * The data of every event type as JSON Schema, and the CloudEvent that carries it to other systems. These schemas
 * describe the events we write, so they allow no further properties; the published schemas allow future properties. A
 * test compares them with `events.ts`.
 */
import { ASSOCIATION_TYPES, type AssociationType, DERIVED_TYPES } from './association.js';
import { entityRecordSchema } from './entities/entity.js';
import type { EventType } from './events.js';
import { memorySchema, unitInterval } from './memory.js';
import { closed, textOrNull } from './reply-parts.js';

const text = { type: 'string' } as const;
const changed = { type: 'array', items: text, description: 'The properties that this event changed.' } as const;
const vectorRef = {
  type: ['string', 'null'],
  description: 'Reference of a supplied embedding; null when the service embeds the content.',
} as const;

const state = {
  memory: { ...memorySchema, description: 'The whole memory after the event.' },
  vectorRef,
  changed,
} as const;
const memoryUpdated = closed(state);
const memoryStored = closed(state, {
  originalLength: {
    type: 'integer',
    minimum: 1,
    description: 'Present when the content is a summary: the length of the original in characters.',
  },
});

const freeProperties = { type: 'object', additionalProperties: true } as const;
/** Associations that a memory owns as one set. */
export function ownedAssociations<const T extends object>(type: T) {
  return {
    type: 'array',
    items: closed({
      target: { type: 'string', format: 'uuid' },
      type: { type: 'string', ...type },
      strength: unitInterval,
      properties: freeProperties,
    }),
  } as const;
}
const memoryEnriched = closed({
  ...state,
  derived: {
    ...ownedAssociations({ enum: DERIVED_TYPES }),
    description: 'All derived associations of the memory; they replace the previous ones.',
  },
});
const enrichmentRequested = closed({
  ...state,
  forced: { type: 'boolean', description: 'True: enrich this version even if it was enriched before.' },
});
const enrichmentFailed = closed({ ...state, attempts: { type: 'integer', minimum: 1 }, error: text });

const reason = { ...text, description: 'Why consolidation made this change.' } as const;
const memoryConsolidated = closed({ ...state, reason });
const clusterChanged = closed({
  ...state,
  reason,
  derived: {
    ...ownedAssociations({ const: 'SUMMARIZES' }),
    description: 'The members of the cluster; they replace the previous ones.',
  },
});

/** Without the type of the associations that a meta memory owns. `Object.keys` loses the type of the keys. */
const associationTypes = Object.keys(ASSOCIATION_TYPES).filter((type) => type !== 'SUMMARIZES') as AssociationType[];
const association = closed(
  {
    association: {
      ...closed({
        source: { type: 'string', format: 'uuid' },
        target: { type: 'string', format: 'uuid' },
        type: { type: 'string', enum: associationTypes },
        strength: unitInterval,
        properties: freeProperties,
        created_at: text,
        updated_at: text,
      }),
      description: 'The whole association after the event.',
    },
    changed,
  },
  { reason },
);

const entityChanged = closed(
  { entity: { ...entityRecordSchema, description: 'The whole record after the event.' }, changed },
  { reason },
);

const keyChanged = closed({
  key: {
    ...closed({
      id: { type: 'string', format: 'uuid' },
      name: text,
      scopes: { type: 'array', items: text },
      tag: textOrNull,
      expires_at: textOrNull,
      requests_per_minute: { type: ['integer', 'null'] },
      previous_until: { ...textOrNull, description: 'Until when the secret before a rotation works as well.' },
    }),
    description: 'The key after the event, without its secret; a revoked one as it was before.',
  },
});

/** The schemas of the present schema versions. */
export const EVENT_DATA_SCHEMAS = {
  'memory.stored': memoryStored,
  'memory.updated': memoryUpdated,
  'memory.enriched': memoryEnriched,
  'memory.enrichment.requested': enrichmentRequested,
  'memory.enrichment.failed': enrichmentFailed,
  'memory.relevance.changed': memoryConsolidated,
  'memory.archived': memoryConsolidated,
  'memory.restored': memoryConsolidated,
  'memory.cluster.changed': clusterChanged,
  'memory.deleted': {
    type: 'object',
    additionalProperties: false,
    properties: { reason },
    description: 'The associations of the memory are deleted with it.',
  },
  'association.created': association,
  'association.updated': association,
  'entity.merged': entityChanged,
  'entity.updated': entityChanged,
  'key.created': keyChanged,
  'key.rotated': keyChanged,
  'key.revoked': keyChanged,
} as const satisfies Record<EventType, object>;

export const EVENT_SUMMARIES = {
  'memory.stored': 'A memory was stored.',
  'memory.updated': 'A memory was changed.',
  'memory.enriched': 'A memory was enriched: its entities, its summary and its derived associations.',
  'memory.enrichment.requested': 'A new enrichment of a memory was requested.',
  'memory.enrichment.failed': 'The enrichment of a memory failed after the last attempt.',
  'memory.relevance.changed':
    'The relevance of a memory changed noticeably with its age, its use and its associations.',
  'memory.archived': 'A memory was archived: reads of the current state leave it out.',
  'memory.restored': 'An archived memory was restored.',
  'memory.cluster.changed': 'A meta memory got other members, or another text.',
  'memory.deleted': 'A memory and all its associations were deleted.',
  'association.created': 'Two memories were associated.',
  'association.updated': 'An association was updated.',
  'entity.merged': 'An entity was merged into another one.',
  'entity.updated':
    'An entity got other aliases or another identity, or its merge was undone: then `changed` has `merged_into`.',
  'key.created': 'A key was made.',
  'key.rotated': 'A key got another secret.',
  'key.revoked': 'A key was revoked.',
} as const satisfies Record<EventType, string>;

/** The attributes of our CloudEvents that do not depend on the event type. */
export const requiredAttributes = {
  specversion: { type: 'string', const: '1.0' },
  id: {
    type: 'string',
    format: 'uuid',
    description: 'The same in every delivery of the event: use it to ignore duplicates.',
  },
  source: { type: 'string', const: '/palimpsest' },
  subject: {
    type: 'string',
    description: "The id of the memory, entity or key, or an association's `source|TYPE|target`.",
  },
  time: { type: 'string', format: 'date-time' },
  datacontenttype: { type: 'string', const: 'application/json' },
  position: {
    type: 'integer',
    minimum: 1,
    description: 'Position in the journal. Increases over all events, with gaps.',
  },
  version: { type: 'integer', minimum: 1, description: 'Counts every event of the subject, from 1, without gaps.' },
  revision: {
    type: 'integer',
    minimum: 1,
    description: 'The ETag of the subject: increases only with commands of callers.',
  },
  partitionkey: {
    type: 'string',
    description: 'Events with the same key arrive in order. It is the key of the Kafka record.',
  },
  actorname: { type: 'string', description: 'The name of the token that caused the event.' },
  actortier: { type: 'string', enum: ['open', 'api', 'admin', 'internal'] },
  correlationid: { type: 'string', description: 'The X-Request-Id of the request that the event belongs to.' },
} as const;
export const optionalAttributes = {
  actoragent: { type: 'string', description: 'The User-Agent of the caller.' },
  causationid: {
    type: 'string',
    description: 'The id of the event that caused this one; absent when a caller caused it.',
  },
  traceparent: { type: 'string', description: 'W3C Trace Context.' },
  tenant: { type: 'string', description: 'The name of the tenant of the event; absent: the default one.' },
} as const;
