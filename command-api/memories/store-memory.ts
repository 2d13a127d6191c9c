/** POST /memory and /memory/batch: draft, read the contents, decide, commit, answer with the state of the vectors. */
import { batchItem } from '../../shared/contract/commands.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import { BATCH_LIMIT, BATCH_TAG_LEVELS_LIMIT } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import { etagOf, type Handler, type ReplyFor, type RequestContext } from '../../shared/http/handler.js';
import type { Ids } from '../../shared/kernel/clock.js';
import { mapPaced } from '../../shared/kernel/concurrency/paced.js';
import { ConflictError, ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import type { CommandHandling } from '../command-handling.js';
import type { VectorState, VectorWait } from '../vector-wait.js';
import type { ContentReader } from './content-reader.js';
import { batchItemError, decideBatch, decideStore, type StoreFacts, withItemIndex } from './decide-store.js';
import { draftMemory, type MemoryDraft, type MemoryLimits } from './draft-memory.js';
import { characterCount } from './memory-fields.js';

export type StoreDeps = {
  readonly commands: CommandHandling;
  readonly readContents: ContentReader;
  readonly vectors: VectorWait;
  readonly ids: Ids;
  readonly limits: MemoryLimits;
  readonly vectorWaitMs: number;
  readonly vectorBatchWaitMs: number;
};

export function createStoreMemory(deps: StoreDeps): Handler<'storeMemory'> {
  return async ({ body, context }) => {
    const draft = draftMemory(body, deps.limits, context.tag);
    return deps.commands.handle(context, {
      load: async () => (await deps.readContents([draft]))[0],
      decide: (reading) => {
        if (!reading) throw new Error('A draft has no reading.');
        return decideStore(reading, draft, storeFacts(1, context, deps));
      },
      answer: async ([event]) => {
        const isProvided = event?.type === 'memory.stored' && event.data !== null && event.data.vectorRef !== null;
        context.endWork();
        const limits = { waitMs: deps.vectorWaitMs, signal: context.signal };
        const [vector] = event && isProvided ? await deps.vectors.states([event], limits) : [];
        return storedAnswer(event, vector ?? deps.vectors.withoutWait, context);
      },
    });
  };
}

export function createStoreBatch(deps: StoreDeps): Handler<'storeBatch'> {
  return async ({ body, context }) => {
    const drafts = await draftBatch(body.memories, deps.limits, context.tag);
    return deps.commands.handle(context, {
      load: () => deps.readContents(drafts),
      decide: (readings) => decideBatch(readings, drafts, storeFacts(drafts.length, context, deps)),
      answer: async (events) => {
        context.endWork();
        const states = await deps.vectors.states(events, { waitMs: deps.vectorBatchWaitMs, signal: context.signal });
        return batchAnswer(events, states, context);
      },
    });
  };
}

function storeFacts(memories: number, context: RequestContext, { commands, ids }: StoreDeps): StoreFacts {
  return {
    ...commands.facts(context, memories),
    memoryIds: Array.from({ length: memories }, () => ids.uuid() as MemoryId),
  };
}

const validateItem = createValidator(batchItem);

/** All or none: the first invalid item refuses the batch and is named in the error. `tag`: of the caller's key. */
export async function draftBatch(
  memories: unknown,
  limits: MemoryLimits,
  tag: string | null,
): Promise<readonly MemoryDraft[]> {
  if (!Array.isArray(memories) || memories.length === 0)
    throw new ValidationError("'memories' must be a non-empty array", 'memories');
  if (memories.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} memories per request`, 'memories');
  const drafts = await mapPaced(memories, (item: unknown, index) => draftItem(item, index, { limits, tag }));
  const levels = drafts.reduce((sum, { tags }) => sum + levelsOf(tags), 0);
  if (levels > BATCH_TAG_LEVELS_LIMIT)
    throw new ValidationError(
      `The tags of a batch must have at most ${BATCH_TAG_LEVELS_LIMIT} levels together (${levels} provided): send fewer memories at a time`,
      'memories',
    );
  return drafts;
}

/** A tag with colons has a level for each part. */
function levelsOf(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.split(':').length, 0);
}

type Caller = { readonly limits: MemoryLimits; readonly tag: string | null };

function draftItem(item: unknown, index: number, { limits, tag }: Caller): MemoryDraft {
  if (!isRecord(item)) throw batchItemError(index, ' must be an object', null);
  const content = item['content'];
  const isMissing = content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
  if (isMissing) throw batchItemError(index, " missing 'content'", 'content');
  const length = typeof content === 'string' ? characterCount(content.trim()) : 0;
  if (length > limits.contentHardLimit)
    throw batchItemError(index, ` exceeds content limit (${length}/${limits.contentHardLimit})`, 'content');
  const validated = validateItem(item);
  if (!validated.ok) throw batchItemError(index, ` is invalid: ${validated.problem.message}`, validated.problem.field);
  const { content: text, type, confidence, tags, importance, metadata, timestamp } = validated.value;
  return withItemIndex(index, () =>
    draftMemory({ content: text, type, confidence, tags, importance, metadata, timestamp }, limits, tag),
  );
}

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
