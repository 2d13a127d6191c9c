/** POST /memory and POST /memory/batch: draft, read the contents, decide, commit, and answer with the state of the vectors. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import type { Ids } from '../../shared/kernel/clock.js';
import type { CommandHandling } from '../command-handling.js';
import type { VectorWait } from '../vector-wait.js';
import type { ContentReader } from './content-reader.js';
import { decideBatch, decideStore, type StoreFacts } from './decide-store.js';
import { draftBatch } from './draft-batch.js';
import { draftMemory, type MemoryLimits } from './draft-memory.js';
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
