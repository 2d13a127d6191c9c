/** Examples of the operations on events and background work, and on the state of the service. */
import { AT, EVENT_ID, type Example, REQUEST_ID, TEA, TEA_ID } from './example.js';

const stored = {
  specversion: '1.0',
  id: EVENT_ID,
  source: '/palimpsest',
  type: 'memory.stored',
  subject: TEA_ID,
  time: AT,
  datacontenttype: 'application/json',
  position: 1,
  version: 1,
  revision: 1,
  schemaversion: 1,
  partitionkey: TEA_ID,
  actorname: 'e3b98a4da31a',
  actortier: 'api',
  correlationid: REQUEST_ID,
  data: { memory: TEA, vectorRef: null, changed: Object.keys(TEA) },
};
const progress = { position: 14, rate_per_second: 0.3, handled: 9, failed: 0, last_error: null, last_error_at: null };

export const serviceExamples = {
  listEvents: {
    parameters: { after: '0', limit: 1 },
    reply: { status: 'success', events: [stored], next: '6c1f09b2.1', head: '6c1f09b2.14', count: 1 },
  },
  listHistory: {
    parameters: { id: TEA_ID, limit: 1 },
    reply: {
      status: 'success',
      memory_id: TEA_ID,
      versions: [
        {
          version: 1,
          revision: 1,
          type: 'memory.stored',
          event_id: EVENT_ID,
          position: 1,
          time: AT,
          actor: { name: 'e3b98a4da31a', tier: 'api', agent: null },
          request_id: REQUEST_ID,
          causation_id: null,
          changed: Object.keys(TEA),
          memory: TEA,
          erased: false,
        },
      ],
      next: 1,
      count: 1,
    },
  },
  stream: {
    parameters: { after: '0', only: 'events' },
    reply: `: connected\n\nid: 6c1f09b2.1\ndata: ${JSON.stringify({ type: 'memory.stored', timestamp: AT, data: stored })}\n\n`,
  },
  streamStatus: { reply: { subscribers: 1, instance: 'embedded' } },
  reprocess: { body: { ids: [TEA_ID] }, reply: { status: 'queued', count: 1, ids: [TEA_ID] } },
  enrichmentStatus: {
    reply: {
      status: 'running',
      queue_size: 1,
      pending: 1,
      inflight: 0,
      max_attempts: 3,
      stats: {
        processed_total: 3,
        successes: 3,
        failures: 0,
        last_success_id: TEA_ID,
        last_success_at: AT,
        last_error: null,
        last_error_at: null,
      },
    },
  },
  listDeadLetters: {
    parameters: { projector: 'enricher', limit: 10 },
    reply: {
      status: 'success',
      dead_letters: [
        {
          id: 17,
          projector: 'enricher',
          event_id: EVENT_ID,
          type: 'memory.stored',
          subject: TEA_ID,
          version: 1,
          position: 1,
          reason: 'The provider refused the text',
          attempts: 3,
          at: AT,
          age_seconds: 42.5,
          awaits_redrive: false,
        },
      ],
      count: 1,
      total: 1,
      next: null,
    },
  },
  redriveDeadLetters: {
    body: { projector: 'enricher' },
    reply: { status: 'queued', count: 1, ids: [17], superseded: [], unknown: [] },
  },
  discardDeadLetters: {
    body: { ids: [17] },
    reply: { status: 'discarded', count: 1, ids: [17], unknown: [] },
  },
  pauseProjector: {
    parameters: { name: 'enricher' },
    reply: { status: 'success', name: 'enricher', paused: true },
  },
  resumeProjector: {
    parameters: { name: 'enricher' },
    reply: { status: 'success', name: 'enricher', paused: false },
  },
  listProjectors: {
    reply: {
      status: 'success',
      head: 14,
      projectors: [
        {
          ...progress,
          name: 'enricher',
          status: 'running',
          lag_events: 0,
          lag_seconds: 0,
          dead_letters: 0,
          instances: [{ ...progress, instance: 'embedded', status: 'running', heartbeat_at: AT, detail: {} }],
        },
      ],
    },
  },
  health: {
    reply: {
      status: 'healthy',
      problems: [],
      rebuilding: null,
      neo4j: 'connected',
      falkordb: 'connected',
      qdrant: 'connected',
      journal: 'connected',
      memory_count: 3,
      vector_count: 3,
      sync_status: 'synced',
      in_flight: 0,
      indexer: 'running',
      dead_letters: 0,
      projectors: { 'vector-indexer': { status: 'running', lag_events: 0, lag_seconds: 0 } },
      vector_dimensions: { configured: 384, effective: 384, collection: 384, mismatch: false },
      drift: null,
      enrichment: { status: 'running', queue_depth: 0, pending: 0, inflight: 0, processed: 3, failed: 0 },
      timestamp: AT,
      graph: 'memories',
      version: '0.1.0',
    },
  },
  index: { reply: { service: 'palimpsest', openapi: '/openapi.json', health: '/health' } },
  livez: { reply: { status: 'ok' } },
  readyz: { reply: { status: 'ok', checks: { graph: 'connected', journal: 'connected' } } },
  openapi: { reply: { openapi: '3.1.0', info: { title: 'Palimpsest', version: '0.1.0' }, paths: {} } },
} as const satisfies Record<string, Example>;
