/** GET /graph/neighbors/:id: the memories around one memory, by associations and by meaning. */
import { memorySchema } from '../memory.js';
import type { Operation } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, flag, number, text } from '../reply-parts.js';
import { drawnAssociation, drawnNeighbour, drawnSimilar } from './drawn-parts.js';

export const NEIGHBOUR_DEPTH_LIMIT = 3;
/** Memories by associations in one answer. */
export const NEIGHBOUR_LIMIT = 100;
export const SIMILAR_LIMIT = 20;

const neighboursQuery = [
  {
    name: 'depth',
    kind: 'integer',
    minimum: 1,
    maximum: NEIGHBOUR_DEPTH_LIMIT,
    description: 'Associations between the memory and a neighbour, at most; default 1, clamped to 1..3.',
  },
  {
    name: 'include_semantic',
    kind: 'text',
    description: 'Whether the answer has memories with a similar meaning; default `true`, any other text is false.',
  },
  {
    name: 'semantic_limit',
    kind: 'integer',
    minimum: 1,
    maximum: SIMILAR_LIMIT,
    description: 'Memories with a similar meaning, at most; default 5, clamped to 1..20.',
  },
] as const satisfies readonly QueryParameter[];

/** How the part of the answer by meaning was made. */
export const SEMANTIC_OUTCOMES = ['searched', 'no_vector', 'unavailable', 'off'] as const;

const neighboursReply = closed({
  center: {
    ...closed({ ...memorySchema.properties, color: text }),
    required: [...memorySchema.required, 'color'],
  },
  graph_neighbors: {
    type: 'array',
    items: drawnNeighbour,
    maxItems: NEIGHBOUR_LIMIT,
    description: 'Nearest first, then most important, then newest.',
  },
  semantic_neighbors: { type: 'array', items: drawnSimilar, maxItems: SIMILAR_LIMIT },
  edges: { type: 'array', items: drawnAssociation, description: 'Between the center and its graph neighbours.' },
  meta: closed({
    depth: count,
    query_time_ms: number,
    truncated: { ...flag, description: 'The memory has more neighbours within this depth than the answer.' },
    semantic: {
      type: 'string',
      enum: SEMANTIC_OUTCOMES,
      description:
        '`no_vector`: the memory has no vector yet; `unavailable`: the vector index did not answer; `off`: the request left it out.',
    },
  }),
});

export const neighboursOperations = {
  listNeighbours: {
    method: 'GET',
    path: '/graph/neighbors/:id',
    servedBy: 'query',
    access: 'api',
    summary: 'The memories around one memory, by associations and by meaning',
    query: neighboursQuery,
    replies: { 200: neighboursReply },
  },
} as const satisfies Record<string, Operation>;
