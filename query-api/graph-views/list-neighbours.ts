/**
 * GET /graph/neighbors/:id: the memories around one memory, by associations and by meaning. Without the vector index,
 * by associations alone.
 */
import { ASSOCIATION_TYPES, type AssociationType } from '../../shared/contract/association.js';
import { memoryColor } from '../../shared/contract/graph-views/drawing.js';
import { NEIGHBOUR_LIMIT } from '../../shared/contract/graph-views/neighbours.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import { rounded } from '../recall/present/rounded.js';
import { drawAssociation, drawNeighbour, isAmong } from './draw.js';
import { readNeighbourhood } from './read-neighbourhood.js';
import type { ReadSimilar } from './read-similar.js';

const DEFAULT_SIMILAR = 5;
/** Also the internal ones, which no other read follows. */
const ALL_TYPES = Object.keys(ASSOCIATION_TYPES) as AssociationType[];

type Dependencies = {
  readonly graph: Pick<GraphReader, 'memories' | 'steps'>;
  readonly readSimilar: ReadSimilar;
};

export function createListNeighbours({ graph, readSimilar }: Dependencies): Handler<'listNeighbours'> {
  return async ({ params: { id }, query, context: { startedAt } }) => {
    const { depth = 1, semantic_limit: limit = DEFAULT_SIMILAR, include_semantic: wanted = 'true', order } = query;
    const [[center], { neighbours, associations, isCut }, { hits, outcome }] = await Promise.all([
      graph.memories([id]),
      readNeighbourhood(graph, { start: id, types: ALL_TYPES, depth, enough: NEIGHBOUR_LIMIT }),
      wanted.toLowerCase() === 'true' ? readSimilar(id, limit) : { hits: [], outcome: 'off' as const },
    ]);
    if (!center) throw new NotFoundError(`Memory ${id} not found`);
    const near = [...neighbours]
      // Stable: the order of importance stays.
      .sort((one, other) => one.steps - other.steps || (order === 'strength' ? other.strength - one.strength : 0))
      .slice(0, NEIGHBOUR_LIMIT)
      .map(({ memory }) => memory.id as MemoryId); // ids of stored memories
    const drawn = new Map(
      (await graph.memories([...new Set([...near, ...hits.map((hit) => hit.id)])])).map(({ memory }) => [
        memory.id as string,
        drawNeighbour(memory),
      ]),
    );
    return {
      status: 200,
      body: {
        center: { ...center.memory, color: memoryColor(center.memory.type) },
        graph_neighbors: near.flatMap((each) => drawn.get(each) ?? []),
        semantic_neighbors: hits.flatMap(({ id: similar, similarity }) => {
          const memory = drawn.get(similar);
          return memory ? [{ ...memory, similarity }] : [];
        }),
        edges: associations
          .filter(isAmong(new Set([id, ...near.filter((each) => drawn.has(each))])))
          .map(drawAssociation),
        meta: {
          depth,
          query_time_ms: rounded(performance.now() - startedAt, 2),
          truncated: isCut || neighbours.length > near.length,
          semantic: outcome,
        },
      },
    };
  };
}
