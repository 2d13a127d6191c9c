/** The bodies of successful answers. OpenAPI shows them, and the service tests validate answers with them. */
import { memorySchema, memorySummarySchema } from './memory.js';
import { closed, count, flag, number, success, text, textList, warnings } from './reply-parts.js';

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
  },
  { summarized: flag, original_length: count, summarized_length: count },
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
export const reprocessReply = closed({ status: { type: 'string', const: 'queued' }, count, ids: textList });
export const deletedByTagReply = closed({ status: success, tags: textList, deleted_count: count });

export const associatedOne = closed(
  { status: success, message: text, relation_type: text, strength: number },
  {
    context: text,
    reason: text,
    pattern_type: text,
    resolution: text,
    timestamp: text,
    transformation: text,
    role: text,
    confidence: number,
    observations: {},
    warnings,
  },
);
export const associatedBatch = closed(
  {
    status: { type: 'string', enum: ['success', 'partial_success'] },
    created_count: count,
    failed_count: count,
    summary: text,
    succeeded: {
      type: 'array',
      items: closed({ index: count, memory1_id: text, memory2_id: text, relation_type: text, strength: number }),
    },
    failed: { type: 'array', items: closed({ index: count, reason: text }) },
  },
  { warnings },
);
export const associateReply = { anyOf: [associatedOne, associatedBatch] } as const;

export const relationSchema = closed(
  {
    type: text,
    direction: { type: 'string', enum: ['outgoing', 'incoming'] },
    strength: number,
    created_at: text,
    memory: memorySummarySchema,
  },
  { updated_at: text, kind: text, from: text, properties: { type: 'object', additionalProperties: true } },
);

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

export const consistency = {
  ...closed({ position: count, index: flag, graph: flag, waited_ms: number }),
  description:
    'Whether the vector index and the graph had every event up to a position when they were read, and how long the read waited for it. The position is the number in `consistent_with`. A recall without it waits for the writes before it, and has this only when it waited, or when the index does not have them all.',
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
  },
  { consistency },
);
