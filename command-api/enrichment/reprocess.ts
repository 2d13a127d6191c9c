/** POST /enrichment/reprocess, in small rounds: one memory that the enricher changes makes its round decide again. */
import type { NewEvent } from '../../shared/contract/events.js';
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import type { GraphReader, LoadedMemory } from '../../shared/ports/graph.js';
import { type CommandHandling, roundIdentity } from '../command-handling.js';
import { changedProperties, type Decision, type Facts, memoryEvent } from '../decision.js';

export const REPROCESS_ROUND = 25;

export type ReprocessDeps = { readonly commands: CommandHandling; readonly graph: Pick<GraphReader, 'memories'> };

/** Ids without a memory and texts that are not ids appear in the answer and have no other effect. */
export function createReprocess({ commands, graph }: ReprocessDeps): Handler<'reprocess'> {
  async function reprocess(named: readonly string[], context: RequestContext): Promise<void> {
    const ids = [...new Set(named.flatMap((id) => parseMemoryId(id) ?? []))];
    for (let from = 0; from < ids.length; from += REPROCESS_ROUND) {
      await commands.run(roundIdentity(context, from / REPROCESS_ROUND), {
        load: () => graph.memories(ids.slice(from, from + REPROCESS_ROUND)),
        decide: (loaded) => decideReprocess(loaded, commands.facts(context, loaded.length)),
      });
    }
  }

  return async ({ body, query, context }) => {
    const ids = draftReprocess(body, query);
    commands.requireWholeGraph();
    await commands.inFlight(context.commandKey, () => reprocess(ids, context));
    return { status: 202, body: { status: 'queued', count: ids.length, ids } };
  };
}

/** The ids of the body (a list, or a text with commas), else of the query: sorted, once each, as spelled. */
export function draftReprocess(
  { ids }: { readonly ids?: unknown },
  query: { readonly ids?: readonly string[] },
): readonly string[] {
  const named = namesIn(ids);
  const wanted = [...new Set(named.length === 0 ? (query.ids ?? []) : named)].sort();
  if (wanted.length === 0) throw new ValidationError('No memory ids provided for reprocessing', 'ids');
  if (wanted.length > BATCH_LIMIT)
    throw new ValidationError(`'ids' must have at most ${BATCH_LIMIT} items (${wanted.length} provided)`, 'ids');
  return wanted;
}

function namesIn(ids: unknown): readonly string[] {
  const listed: readonly unknown[] = typeof ids === 'string' ? ids.split(',') : Array.isArray(ids) ? ids : [];
  return listed
    .filter((id) => typeof id === 'string')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/**
 * Creates an event for each memory that requests its enrichment again, whatever was done before. Patterns are skipped:
 * enrichment makes them and does not enrich them. The revision stays, because a caller's ETag covers only changes by
 * callers.
 */
export function decideReprocess(loaded: readonly LoadedMemory[], facts: Facts): Decision {
  const events = loaded
    .filter(({ memory }) => memory.type !== 'MetaPattern')
    .map((one, index) => enrichmentRequest(one.memory, { facts, loaded: one, index }));
  return { events, requires: [], vectors: [] };
}

/** `changed`: the memory with what else changes in the same event. */
export function enrichmentRequest(
  { enriched_at: _at, ...kept }: Memory,
  version: { readonly facts: Facts; readonly loaded: LoadedMemory; readonly index: number },
): NewEvent {
  const { memory: before, vectorRef } = version.loaded;
  const memory: Memory = { ...kept, enriched: false, processed: false };
  const data = { memory, vectorRef, changed: changedProperties(before, memory), forced: true };
  return memoryEvent(version, { type: 'memory.enrichment.requested', data });
}
