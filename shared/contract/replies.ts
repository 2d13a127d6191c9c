/** The bodies of successful answers, as JSON Schema; OpenAPI and the service tests hold every answer against them. */
import { ENRICHMENT_OUTCOMES } from './enrichment.js';
import { explainedMemory, explainedResult } from './explain-reply.js';
import { memorySchema, memorySummarySchema } from './memory.js';
import { closed, count, flag, number, text } from './reply-parts.js';

const success = { type: 'string', const: 'success' } as const;
const textList = { type: 'array', items: text } as const;

export const storedReply = closed(
  {
    status: success,
    memory_id: { type: 'string', format: 'uuid' },
    stored_at: text,
    type: text,
    confidence: number,
    qdrant: { type: ['string', 'null'], enum: ['stored', 'failed', 'queued', 'unconfigured', null] },
    embedding_status: { type: 'string', enum: ['provided', 'queued', 'skipped'] },
    enrichment: text,
    metadata: { type: 'object', additionalProperties: true },
    timestamp: text,
    updated_at: text,
    last_accessed: text,
    query_time_ms: number,
    summarized: flag,
    original_length: count,
    summarized_length: count,
  },
  ['summarized', 'original_length', 'summarized_length'],
);

export const batchReply = closed({
  status: success,
  stored: count,
  memory_ids: textList,
  qdrant: text,
  enrichment: text,
  query_time_ms: number,
});

export const changedReply = closed({ status: success, memory_id: text });
export const recordedReply = closed({ status: success });
export const enrichmentsReply = closed({
  status: success,
  outcomes: { type: 'array', items: { type: 'string', enum: ENRICHMENT_OUTCOMES } },
});
export const reprocessReply = closed({ status: { type: 'string', const: 'queued' }, count, ids: textList });
export const deletedByTagReply = closed({ status: success, tags: textList, deleted_count: count });

const associated = {
  status: success,
  message: text,
  relation_type: text,
  strength: number,
  context: text,
  reason: text,
  pattern_type: text,
  resolution: text,
  timestamp: text,
  transformation: text,
  role: text,
  confidence: number,
  observations: {},
} as const;
const associatedOne = { ...closed(associated), required: ['status', 'message', 'relation_type', 'strength'] } as const;
const associatedBatch = closed({
  status: { type: 'string', enum: ['success', 'partial_success'] },
  created_count: count,
  failed_count: count,
  summary: text,
  succeeded: {
    type: 'array',
    items: closed({ index: count, memory1_id: text, memory2_id: text, relation_type: text, strength: number }),
  },
  failed: { type: 'array', items: closed({ index: count, reason: text }) },
});
export const associateReply = { anyOf: [associatedOne, associatedBatch] } as const;
export const associateBatchReply = associatedBatch;

export const relationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'direction', 'strength', 'created_at', 'memory'],
  properties: {
    type: text,
    direction: { type: 'string', enum: ['outgoing', 'incoming'] },
    strength: number,
    created_at: text,
    updated_at: text,
    kind: text,
    from: text,
    properties: { type: 'object', additionalProperties: true },
    memory: memorySummarySchema,
  },
} as const;

const record = { ...memorySchema.properties, relations: { type: 'array', items: relationSchema } } as const;
export const memoryReply = closed({
  status: success,
  memory: {
    type: 'object',
    additionalProperties: false,
    required: [...memorySchema.required, 'relations'],
    properties: record,
  },
});

const consistency = {
  ...closed({ position: count, index: flag, graph: flag, waited_ms: number }),
  description:
    'For `consistent_with`: whether the vector index and the graph had every event up to that position when the read began, and how long it waited for them.',
} as const;

export const byTagReply = closed(
  {
    status: success,
    tags: textList,
    count,
    limit: count,
    offset: count,
    has_more: flag,
    memories: { type: 'array', items: memorySchema },
    consistency,
  },
  ['consistency'],
);

const components = closed(
  {
    vector: number,
    keyword: number,
    metadata: number,
    relation: number,
    tag: number,
    importance: number,
    confidence: number,
    recency: number,
    exact: number,
    relevance: number,
    context: number,
    evidence: number,
    relevance_gated: flag,
    temporal: number,
    search_weight: number,
    entity_expansion: number,
    succession: number,
    neighbours: number,
    session: number,
    subject: number,
    date: number,
    question: number,
    substance: number,
    identifier: number,
  },
  [
    'identifier',
    'relevance_gated',
    'temporal',
    'neighbours',
    'session',
    'subject',
    'date',
    'question',
    'substance',
    'search_weight',
    'entity_expansion',
    'succession',
  ],
);
const recalledMemory = {
  type: 'object',
  additionalProperties: false,
  required: [...memorySchema.required, 'memory_id', 'created_at'],
  properties: { ...memorySchema.properties, memory_id: text, created_at: text },
} as const;
const replacedRelation = closed({ type: text, strength: number, from: text });
const followedRelation = closed({ type: text, strength: number, from: text, seed_rank: count, seed_score: number });
const recallResult = closed(
  {
    id: text,
    score: number,
    final_score: number,
    original_score: number,
    _query: text,
    match_score: number,
    match_type: {
      type: 'string',
      enum: ['semantic', 'keyword', 'tag', 'relation', 'entity', 'trending', 'metadata', 'priority', 'replacement'],
    },
    source: { type: 'string', enum: ['qdrant', 'graph'] },
    memory: recalledMemory,
    relations: { type: 'array', items: { anyOf: [relationSchema, replacedRelation, followedRelation] } },
    related_to: { type: 'array', items: followedRelation },
    relation_score: number,
    expanded_from_entity: text,
    score_components: components,
    deduped_from: textList,
    state_replaces: text,
    outside_tag_scope: flag,
    explain: explainedResult,
  },
  [
    'original_score',
    '_query',
    'related_to',
    'relation_score',
    'expanded_from_entity',
    'deduped_from',
    'state_replaces',
    'outside_tag_scope',
    'explain',
  ],
);
export const recallReply = closed(
  {
    status: success,
    query: text,
    results: { type: 'array', items: recallResult },
    count,
    dedup_removed: count,
    sort: text,
    state_mode: text,
    vector_search: closed({ enabled: flag, matched: flag }),
    tag_mode: text,
    tag_match: text,
    query_time_ms: number,
    keywords: textList,
    queries: textList,
    time_window: closed({ start: { type: ['string', 'null'] }, end: { type: ['string', 'null'] } }),
    tags: textList,
    tag_scope: closed({ filtered: flag, pool_size_hint: { type: ['integer', 'null'] }, gated_low_evidence: count }),
    exclude_tags: textList,
    expansion: closed({
      enabled: flag,
      seed_count: count,
      expanded_count: count,
      relation_limit: count,
      expansion_limit: count,
      respect_tags: flag,
    }),
    entity_expansion: closed({ enabled: flag, expanded_count: count, entities_found: textList }),
    context_priority: closed({
      language: { type: ['string', 'null'] },
      context: { type: ['string', 'null'] },
      priority_tags: textList,
      priority_types: textList,
      injected: flag,
    }),
    state_filter: closed(
      {
        current_only: flag,
        suppressed_count: count,
        replacement_count: count,
        suppressed: {
          type: 'array',
          items: closed({ id: text, reason: text, replacement_id: text, relation_type: text }, [
            'replacement_id',
            'relation_type',
          ]),
        },
        replacements: { type: 'array', items: closed({ id: text, replaces_id: text, relation_type: text }) },
      },
      ['suppressed', 'replacements'],
    ),
    score_filter: closed({
      min_score: { type: ['number', 'null'] },
      adaptive_floor: { type: ['number', 'null'] },
      filtered_count: count,
    }),
    recency_bias: { const: 'on', description: 'Present when the order leans to what is new.' },
    scope_fallback: { const: true, description: 'Present when the answer was to be filled from outside the tags.' },
    budget: {
      ...closed({ max_tokens: count, estimated_tokens: count, omitted: textList }),
      description:
        'What `max_tokens` left out. A result is taken for 40 tokens and one more for every 4 bytes of its content and tags.',
    },
    degraded: {
      type: 'array',
      items: closed({ source: text, reason: text }),
      description: 'Sources that did not answer; absent when all did.',
    },
    explain: explainedMemory,
    consistency,
  },
  [
    'keywords',
    'queries',
    'time_window',
    'tags',
    'tag_scope',
    'exclude_tags',
    'expansion',
    'entity_expansion',
    'context_priority',
    'state_filter',
    'score_filter',
    'recency_bias',
    'scope_fallback',
    'budget',
    'degraded',
    'explain',
    'consistency',
  ],
);

const enrichment = closed({
  status: text,
  queue_depth: count,
  pending: count,
  inflight: count,
  processed: count,
  failed: count,
});
const link = { type: 'string', enum: ['connected', 'disconnected'] } as const;
const nullableCount = { type: ['integer', 'null'], minimum: 0 } as const;
export const healthReply = closed(
  {
    status: { type: 'string', enum: ['healthy', 'degraded'] },
    neo4j: link,
    falkordb: link,
    qdrant: link,
    journal: link,
    memory_count: nullableCount,
    vector_count: nullableCount,
    sync_status: { type: 'string', enum: ['unknown', 'synced', 'drift_detected', 'orphaned_vectors'] },
    in_flight: { ...nullableCount, description: 'Events that the vector indexer has not handled yet.' },
    indexer: {
      type: ['string', 'null'],
      enum: ['running', 'stopped', null],
      description: 'Whether any vector indexer runs; null when that cannot be known.',
    },
    outbox: {
      ...closed({ pending: count, applied: count, oldest_ms: number }),
      type: ['object', 'null'],
      description:
        'Events on their way: `pending` are not in the graph yet, `applied` not in the stream. Null when that cannot be known; absent where events need no outbox.',
    },
    dead_letters: nullableCount,
    projectors: {
      type: ['object', 'null'],
      description: 'How each projector is getting on, by name; null when that cannot be known.',
      additionalProperties: closed({
        status: { type: 'string', enum: ['running', 'paused', 'stopped'] },
        lag_events: nullableCount,
        lag_seconds: { type: ['number', 'null'], minimum: 0 },
      }),
    },
    vector_dimensions: closed({
      configured: count,
      effective: nullableCount,
      collection: nullableCount,
      mismatch: flag,
    }),
    enrichment,
    timestamp: text,
    graph: text,
    version: text,
  },
  ['outbox'],
);
export const probeReply = closed({ status: text, checks: { type: 'object', additionalProperties: text } }, ['checks']);

const moment = { type: ['string', 'null'] } as const;
export const enrichmentStatusReply = closed({
  status: { type: 'string', enum: ['running', 'stopped'] },
  queue_size: count,
  pending: count,
  inflight: count,
  max_attempts: count,
  stats: closed({
    processed_total: count,
    successes: count,
    failures: count,
    last_success_id: moment,
    last_success_at: moment,
    last_error: moment,
    last_error_at: moment,
  }),
});
export const openApiReply = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: text,
    info: { type: 'object', additionalProperties: true },
    paths: { type: 'object', additionalProperties: true },
  },
  additionalProperties: true,
} as const;
