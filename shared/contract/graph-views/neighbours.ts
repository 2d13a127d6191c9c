/** GET /graph/neighbors/:id and /memories/:key/related: the memories around one memory. */
import { memorySchema, memorySummarySchema } from '../memory.js';
import { type Operation, route } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';
import { drawnAssociation, drawnNeighbour, drawnSimilar } from './drawing.js';

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
  {
    name: 'order',
    kind: 'choice',
    choices: ['importance', 'strength'],
    description:
      'Which of the neighbours by associations come first, at the same distance: the most important ones, or those with the strongest associations; default importance.',
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
    description: 'Nearest first, then by `order`, then most important, then newest.',
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

export const RELATED_DEPTH_LIMIT = 3;
export const RELATED_LIMIT = 200;
/** All types of associations in all spellings are fewer. */
const TYPES_LIMIT = 50;

const relatedQuery = [
  {
    name: 'relationship_types',
    kind: 'list',
    maximumItems: TYPES_LIMIT,
    description:
      'Comma-separated types of associations to follow; unknown ones are ignored. Without a known one: the eleven types that callers can write.',
  },
  {
    name: 'max_depth',
    kind: 'integer',
    minimum: 1,
    maximum: RELATED_DEPTH_LIMIT,
    description: 'Associations between the memory and a result, at most; default 1, clamped to 1..3.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: RELATED_LIMIT,
    description: 'Memories in the answer; default RECALL_RELATION_LIMIT, clamped to 1..200.',
  },
] as const satisfies readonly QueryParameter[];

const relatedReply = closed({
  status: success,
  memory_id: text,
  count,
  related_memories: { type: 'array', items: memorySummarySchema },
  relationship_types: textList,
  max_depth: count,
  limit: count,
  truncated: {
    ...flag,
    description:
      'More associations lead on from here than one request follows: some related memories were not looked at.',
  },
});

/** Each step reads around every memory that the one before it reached. */
const stepsCost = (depth: unknown): number => 4 ** Number(depth);

export const neighboursOperations = {
  listNeighbours: {
    ...route('GET /graph/neighbors/:id', 'query', 'api'),
    tag: 'Graph',
    summary: 'The memories around one memory, by associations and by meaning',
    description:
      'Reads one memory with the memories that associations of every type lead to, and the memories whose vectors are nearest. Without the vector index the answer has the first part alone.',
    cost: ({ depth = 1 }) => 8 + stepsCost(depth),
    query: neighboursQuery,
    replies: { 200: neighboursReply },
  },
  listRelated: {
    ...route('GET /memories/:key/related', 'query', 'api'),
    tag: 'Associations',
    summary: 'Memories that associations lead to, over up to three steps',
    description:
      'Follows associations in both directions and lists the memories that it reaches: most important first, then newest, then by id. An unknown id has none.',
    cost: ({ max_depth = 1 }) => stepsCost(max_depth),
    query: relatedQuery,
    replies: { 200: relatedReply },
    neverAnswers: [404],
  },
} as const satisfies Record<string, Operation>;
