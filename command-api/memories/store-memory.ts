/**
 * POST /memory and POST /memory/batch: draft, read the contents, decide, commit, and answer with the state of the
 * vectors.
 */
import { batchItem } from '../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import type { Ids } from '../../shared/kernel/clock.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import type { CommandHandling } from '../command-handling.js';
import type { VectorWait } from '../vector-wait.js';
import { batchItemError, withItemIndex } from './batch-item-error.js';
import type { ContentReader } from './content-reader.js';
import { decideBatch, decideStore, type StoreFacts } from './decide-store.js';
import { draftMemory, type MemoryDraft, type MemoryLimits } from './draft-memory.js';
import { characterCount } from './memory-fields.js';
import { batchAnswer, storedAnswer } from './stored-answer.js';

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
    const draft = draftMemory(body, deps.limits);
    return deps.commands.handle(context, {
      load: async () => (await deps.readContents([draft]))[0],
      decide: (reading) => {
        if (!reading) throw new Error('A draft has no reading.');
        return decideStore(reading, draft, storeFacts(1, context, deps));
      },
      answer: async ([event]) => {
        const isProvided = event?.type === 'memory.stored' && event.data !== null && event.data.vectorRef !== null;
        const limits = { waitMs: deps.vectorWaitMs, signal: context.signal };
        const [vector] = event && isProvided ? await deps.vectors.states([event], limits) : [];
        return storedAnswer(event, vector ?? deps.vectors.withoutWait, context);
      },
    });
  };
}

export function createStoreBatch(deps: StoreDeps): Handler<'storeBatch'> {
  return async ({ body, context }) => {
    const drafts = draftBatch(body.memories, deps.limits);
    return deps.commands.handle(context, {
      load: () => deps.readContents(drafts),
      decide: (readings) => decideBatch(readings, drafts, storeFacts(drafts.length, context, deps)),
      answer: async (events) => {
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

/**
 * Parses the body of POST /memory/batch into drafts. All or none: the first invalid item refuses the batch and is named
 * in the error.
 */
export function draftBatch(memories: unknown, limits: MemoryLimits): readonly MemoryDraft[] {
  if (!Array.isArray(memories) || memories.length === 0)
    throw new ValidationError("'memories' must be a non-empty array", 'memories');
  if (memories.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} memories per request`, 'memories');
  return memories.map((item: unknown, index) => draftItem(item, index, limits));
}

function draftItem(item: unknown, index: number, limits: MemoryLimits): MemoryDraft {
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
    draftMemory({ content: text, type, confidence, tags, importance, metadata, timestamp }, limits),
  );
}
