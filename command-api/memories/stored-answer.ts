/** Builds the answers of the store commands from their events. */
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import { etagOf, type ReplyFor, type RequestContext } from '../../shared/http/handler.js';
import { ConflictError } from '../../shared/kernel/errors.js';
import type { VectorState } from '../vector-wait.js';
import { characterCount } from './memory-fields.js';

export function storedAnswer(
  event: RecordedEvent | undefined,
  vector: VectorState,
  { startedAt }: RequestContext,
): ReplyFor<'storeMemory'> {
  if (event?.type !== 'memory.stored')
    throw new Error(`POST /memory expects one memory.stored event, not ${event?.type ?? 'no event'}.`);
  if (event.data === null) {
    throw new ConflictError(
      'The memory that this request created has been deleted since: send a new Idempotency-Key to store it again',
    );
  }
  const { memory, vectorRef, originalLength } = event.data;
  const isProvided = vectorRef !== null;
  return {
    status: 201,
    headers: { ETag: etagOf(event.revision) },
    body: {
      status: 'success',
      memory_id: memory.id,
      stored_at: memory.timestamp,
      type: memory.type,
      confidence: memory.confidence,
      qdrant: qdrantOf(vector, isProvided),
      embedding_status: isProvided ? 'provided' : vector === 'unconfigured' ? 'skipped' : 'queued',
      enrichment: 'queued',
      metadata: memory.metadata,
      timestamp: memory.timestamp,
      updated_at: memory.updated_at,
      last_accessed: memory.last_accessed,
      query_time_ms: millisecondsSince(startedAt),
      ...(originalLength === undefined
        ? {}
        : { summarized: true, original_length: originalLength, summarized_length: characterCount(memory.content) }),
    },
  };
}

function qdrantOf(vector: VectorState, isProvided: boolean): ReplyOf<'storeMemory'>['qdrant'] {
  if (!isProvided) return vector === 'unconfigured' ? 'unconfigured' : 'queued';
  return vector === 'unavailable' || vector === 'unconfigured' ? null : vector;
}

export function batchAnswer(
  events: readonly RecordedEvent[],
  vectors: readonly VectorState[],
  { startedAt }: RequestContext,
): ReplyFor<'storeBatch'> {
  return {
    status: 201,
    body: {
      status: 'success',
      stored: events.length,
      memory_ids: events.map(({ subject }) => subject),
      qdrant: batchQdrant(vectors),
      enrichment: 'queued',
      query_time_ms: millisecondsSince(startedAt),
    },
  };
}

function batchQdrant(vectors: readonly VectorState[]): string {
  if (vectors.includes('unconfigured')) return 'unconfigured';
  const stored = vectors.filter((vector) => vector === 'stored').length;
  if (stored === 0) return 'queued';
  return stored === vectors.length ? `stored (${stored})` : `stored (${stored}), queued (${vectors.length - stored})`;
}

/** Two decimals. */
function millisecondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 100) / 100;
}
