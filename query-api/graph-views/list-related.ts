/**
 * GET /memories/:key/related: the memories that associations lead to, most important first. An unknown memory has none.
 */
import { ASSOCIATION_TYPES, type AssociationType, AUTHORABLE_TYPES } from '../../shared/contract/association.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { shorten } from '../../shared/kernel/shorten.js';
import { summarize } from '../../shared/text/summarize.js';
import { type VisibleGraph, visibleGraph } from '../visible-graph.js';
import { readNeighbourhood } from './read-neighbourhood.js';

/** Names of stored associations in the graphs of earlier services, which count as DISCOVERED. */
const LEGACY_TYPES: Readonly<Record<string, AssociationType>> = {
  EXPLAINS: 'DISCOVERED',
  SHARES_THEME: 'DISCOVERED',
  PARALLEL_CONTEXT: 'DISCOVERED',
};

type Dependencies = {
  readonly graph: VisibleGraph;
  /** The limit of a request without one. */
  readonly relationLimit: number;
};

export function createListRelated({ graph, relationLimit }: Dependencies): Handler<'listRelated'> {
  return async ({ params: { key }, query, context }) => {
    const visible = visibleGraph(graph, context.tag);
    const types = knownTypes(query.relationship_types ?? []);
    const { max_depth: depth = 1, limit = relationLimit } = query;
    const start = parseMemoryId(key);
    const { neighbours, isCut } =
      start === null ? { neighbours: [], isCut: false } : await readNeighbourhood(visible, { start, types, depth });
    const ids = neighbours.slice(0, limit).map(({ memory: { id } }) => id as MemoryId); // ids of stored memories
    const related = ids.length === 0 ? [] : (await visible.memories(ids)).map(({ memory }) => summarize(memory));
    return {
      status: 200,
      body: {
        status: 'success',
        memory_id: start ?? shorten(key),
        count: related.length,
        related_memories: related,
        relationship_types: types,
        max_depth: depth,
        limit,
        truncated: isCut,
      },
    };
  };
}

function knownTypes(given: readonly string[]): readonly AssociationType[] {
  const known = new Set(given.flatMap((name) => typeOf(name.toUpperCase()) ?? []));
  return [...(known.size > 0 ? known : AUTHORABLE_TYPES)].sort();
}

function typeOf(name: string): AssociationType | undefined {
  return Object.hasOwn(ASSOCIATION_TYPES, name) ? (name as AssociationType) : LEGACY_TYPES[name];
}
