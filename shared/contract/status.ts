/** The operations about the state of the service: health, probes, enrichment, and OpenAPI. */
import { DOCUMENT_COST, type Operation, route } from './operation.js';
import { closed, count, flag, number, text, textOrNull } from './reply-parts.js';

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
    problems: {
      type: 'array',
      items: text,
      description:
        'What an operator must know, as sentences: writes that fail, and a store that was emptied, replaced or put back to an earlier state. Each one makes the status `degraded`.',
    },
    rebuilding: {
      ...closed({ events: count, subjects: count, total_subjects: count }),
      type: ['object', 'null'],
      description:
        'The running rebuild of the graph from the journal: applied events, and visited subjects of all. Null while none runs.',
    },
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
      description: 'Whether a vector indexer runs; null when unknown.',
    },
    dead_letters: nullableCount,
    projectors: {
      type: ['object', 'null'],
      description: 'The progress of each projector, by name; null when unknown.',
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
    drift: {
      ...closed({ checked_at: text, missing: count, orphaned: count, stale: count, repaired: count }),
      type: ['object', 'null'],
      description: 'The last scheduled comparison of graph and vector index; null before the first one.',
    },
    enrichment,
    timestamp: text,
    graph: text,
    version: text,
  },
  {
    outbox: {
      ...closed({
        pending: count,
        applied: count,
        oldest_ms: number,
        dead_letters: count,
        oldest_dead_letter_ms: number,
      }),
      type: ['object', 'null'],
      description:
        'Events in the outbox: `pending` are not in the graph yet, `applied` are not in the stream yet, `dead_letters` could not be written to the graph and wait for a redrive. Null when unknown; absent in a deployment without outbox.',
    },
    stream: {
      ...closed({ partitions: count, added_partitions: count, generation: count, warning: textOrNull }),
      type: ['object', 'null'],
      description:
        'The event topic of Kafka: events are distributed over `partitions`; `added_partitions` stay empty. `generation` increases when Kafka lost records or the topic was replaced. Null when unknown; absent in a deployment without Kafka.',
    },
  },
);
export const probeReply = closed({ status: text }, { checks: { type: 'object', additionalProperties: text } });

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
    last_success_id: textOrNull,
    last_success_at: textOrNull,
    last_error: textOrNull,
    last_error_at: textOrNull,
  }),
});
export const indexReply = closed({ service: text, openapi: text, health: text });
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

export const statusOperations = {
  enrichmentStatus: {
    ...route('GET /enrichment/status', 'query', 'api'),
    tag: 'Enrichment',
    summary: 'State of background enrichment',
    description: 'The queue and the counters of background enrichment.',
    replies: { 200: enrichmentStatusReply },
  },
  health: {
    ...route('GET /health', 'query', 'public'),
    tag: 'Service',
    summary: 'Health of the databases and of background work',
    description: 'Reports each database and the background work. Always 200; `status` is healthy or degraded.',
    replies: { 200: healthReply },
  },
  index: {
    ...route('GET /', 'edge', 'public'),
    tag: 'Service',
    summary: 'Where the description of the API is',
    description: 'Names the addresses of this document and of the health report.',
    replies: { 200: indexReply },
  },
  livez: {
    ...route('GET /livez', 'edge', 'public'),
    tag: 'Service',
    summary: 'The process runs',
    description: 'For the liveness probe of an orchestrator.',
    replies: { 200: probeReply },
  },
  readyz: {
    ...route('GET /readyz', 'edge', 'public'),
    tag: 'Service',
    summary: 'The process can serve',
    description: 'For the readiness probe of an orchestrator: 503 while requests would fail.',
    replies: { 200: probeReply },
    alsoAnswers: [503],
  },
  openapi: {
    ...route('GET /openapi.json', 'edge', 'public'),
    tag: 'Service',
    summary: 'This document',
    description: 'The OpenAPI document of the service.',
    document: true,
    cost: DOCUMENT_COST,
    replies: { 200: openApiReply },
  },
} as const satisfies Record<string, Operation>;
