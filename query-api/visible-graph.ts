/**
 * The graph as a caller sees it whose key is restricted to a tag: any other memory is as one that does not exist, so it
 * also replaces none. The searches have the restriction in their filter.
 */
import type { Memory, MemoryId } from '../shared/contract/memory.js';
import { oncePerObject } from '../shared/kernel/once-per-object.js';
import type { GraphReader, LoadedMemory, Succession } from '../shared/ports/graph.js';
import { isWithin } from '../shared/text/tags.js';

export type VisibleGraph = Pick<GraphReader, 'memories' | 'successions' | 'lineages' | 'relations' | 'steps' | 'byTag'>;

/** The most memories that the graph reads in one call. */
const READ_LIMIT = 1_000;

/** `tag`: canonical; null: the graph itself. */
export function visibleGraph(graph: VisibleGraph, tag: string | null): VisibleGraph {
  if (tag === null) return graph;
  const visible = (loaded: readonly LoadedMemory[]): readonly LoadedMemory[] =>
    loaded
      .filter(({ memory }) => isWithin(memory, tag))
      .map((one) => ({ ...one, memory: withoutNeighbours(one.memory) }));

  /** Those whose target is visible. `read`: all memories that were read with them. */
  async function visibleSuccessions(
    successions: readonly Succession[],
    read: readonly LoadedMemory[] = [],
  ): Promise<readonly Succession[]> {
    const states = new Map<MemoryId, Memory>(read.map(({ memory }) => [memory.id, memory]));
    const unread = [...new Set(successions.map(({ target }) => target))].filter((id) => !states.has(id));
    for (let from = 0; from < unread.length; from += READ_LIMIT)
      for (const { memory } of await graph.memories(unread.slice(from, from + READ_LIMIT)))
        states.set(memory.id, memory);
    return successions.filter(({ target }) => {
      const memory = states.get(target);
      return memory !== undefined && isWithin(memory, tag);
    });
  }

  return {
    memories: async (ids) => visible(await graph.memories(ids)),
    successions: async (ids, hops) => visibleSuccessions(await graph.successions(ids, hops)),
    lineages: async (ids, hops) => {
      const { memories, successions, successors } = await graph.lineages(ids, hops);
      return {
        memories: visible(memories),
        successions: await visibleSuccessions(successions, [...memories, ...successors]),
        successors: visible(successors),
      };
    },
    relations: (request) => graph.relations({ ...request, within: tag }),
    steps: (request) => graph.steps({ ...request, within: tag }),
    byTag: async (request) => {
      const { memories, hasMore } = await graph.byTag({ ...request, within: tag });
      return { memories: visible(memories), hasMore };
    },
  };
}

/** The findings of enrichment name similar memories, and count those of the same type. */
export const withoutNeighbours = oncePerObject((memory: Memory): Memory => {
  const { enrichment: _findings, ...metadata } = memory.metadata;
  return { ...memory, metadata };
});
