/** PATCH /memory/:id: commits the change, then waits briefly for the vector of new content. */
import { isDeepStrictEqual } from 'node:util';
import type { Memory } from '../../shared/contract/memory.js';
import { etagOf, type Handler } from '../../shared/http/handler.js';
import type { GraphReader, LoadedMemory } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import {
  changedProperties,
  type Decision,
  type Facts,
  type IfMatch,
  memoryEvent,
  NOTHING_CHANGES,
  oneEvent,
  readVisible,
  requirePresent,
} from '../decision.js';
import type { VectorWait } from '../vector-wait.js';
import { draftUpdate, type MemoryChange, type MemoryLimits } from './draft-memory.js';
import { rejectReversedValidity } from './memory-fields.js';

export type UpdateDeps = {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly vectors: VectorWait;
  readonly limits: MemoryLimits;
  readonly vectorWaitMs: number;
};

export function createUpdateMemory({
  commands,
  graph,
  vectors,
  limits,
  vectorWaitMs,
}: UpdateDeps): Handler<'updateMemory'> {
  return async ({ params: { id }, body, context }) => {
    const change = draftUpdate(body, limits, context.tag);
    return commands.handle(context, {
      memoryId: id,
      load: async () => (await readVisible(graph, [id], context))[0],
      decide: (loaded) => decideUpdate(loaded, change, { ...commands.facts(context, 1), ifMatch: context.ifMatch }),
      answer: async (events, loaded) => {
        const [event] = events;
        if (change.content !== undefined)
          await vectors.states(events, { waitMs: vectorWaitMs, signal: context.signal });
        const revision = event?.revision ?? loaded?.revision;
        return {
          status: 200,
          body: { status: 'success', memory_id: id },
          ...(revision === undefined ? {} : { headers: { ETag: etagOf(revision) } }),
        };
      },
    });
  };
}

/** Decides PATCH /memory/:id: the whole memory after the change, and the names of its changed properties. */
export function decideUpdate(loaded: LoadedMemory | undefined, change: MemoryChange, facts: Facts & IfMatch): Decision {
  const present = requirePresent(loaded, facts);
  const { memory: before, vectorRef } = present;
  if (Object.keys(change).length === 0) return NOTHING_CHANGES;
  const memory = changedMemory(before, change, facts);
  const changed = changedProperties(before, memory);
  const data = { memory, vectorRef: changed.includes('content') ? null : vectorRef, changed };
  return oneEvent(memoryEvent({ facts, loaded: present, isByCaller: true }, { type: 'memory.updated', data }));
}

function changedMemory(before: Memory, { t_valid, t_invalid, ...plain }: MemoryChange, { now }: Facts): Memory {
  const { t_valid: validBefore, t_invalid: invalidBefore, summary, enriched, enriched_at, processed, ...kept } = before;
  const isNew = (name: 'content' | 'tags' | 'metadata'): boolean =>
    plain[name] !== undefined && !isDeepStrictEqual(plain[name], before[name]);
  const isStale = isNew('content') || isNew('tags') || isNew('metadata');
  const validFrom = t_valid === undefined ? validBefore : t_valid;
  const validUntil = t_invalid === undefined ? invalidBefore : t_invalid;
  // A stored t_valid may be a default, the time of the store; a caller may still say that the memory had ended before.
  rejectReversedValidity(t_valid, validUntil);
  return {
    ...kept,
    updated_at: now,
    ...plain,
    ...(validFrom ? { t_valid: validFrom } : {}),
    ...(validUntil ? { t_invalid: validUntil } : {}),
    ...(summary === undefined || isNew('content') ? {} : { summary }),
    ...(isStale
      ? { enriched: false, processed: false }
      : { enriched, processed, ...(enriched_at === undefined ? {} : { enriched_at }) }),
  };
}
