/**
 * Reads the memories of one type that show its pattern: the number of all of them, and the newest ones with a high
 * confidence.
 */
import { type MemoryFilter, NO_CONDITIONS } from '../../shared/contract/filter.js';
import { type Memory, MEMORY_TYPES, type MemoryId, type Timestamp } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/ports/graph.js';

/** A memory exemplifies the pattern of its type only above this confidence: an unclassified memory shows no pattern. */
export const PATTERN_CONFIDENCE = 0.5;
/** The newest memories of the type that are read to find examples. */
const NEWEST_LIMIT = 50;

export type ExamplesGraph = Pick<GraphReader, 'memories' | 'counts' | 'trending'>;

export async function countOfType(graph: Pick<GraphReader, 'counts'>, type: string): Promise<number> {
  return (await graph.counts({ excludedTypes: allBut(type) })).memories;
}

/** Newest first, without the memory `but`. */
export async function readExamples(
  graph: Pick<GraphReader, 'memories' | 'trending'>,
  { type, now, but }: { readonly type: string; readonly now: Timestamp; readonly but: MemoryId | null },
): Promise<readonly Memory[]> {
  const ids = await graph.trending({ filter: ofType(type, now), order: 'time_desc', limit: NEWEST_LIMIT });
  return (await graph.memories(ids))
    .map(({ memory }) => memory)
    .filter(({ id, confidence }) => id !== but && confidence > PATTERN_CONFIDENCE);
}

function ofType(type: string, now: Timestamp): MemoryFilter {
  return {
    ...NO_CONDITIONS,
    excludedTypes: allBut(type),
    state: 'unarchived',
    now,
  };
}

function allBut(type: string): readonly string[] {
  return [...MEMORY_TYPES, 'MetaPattern'].filter((other) => other !== type);
}
