/** GET /graph/snapshot: the most important memories with the associations between them, as a stream. */
import type { Operation } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, flag, number } from '../reply-parts.js';
import { drawingKeys } from './drawing-keys.js';
import { drawnMemory, drawnWithProperties } from './drawn-parts.js';

export const SNAPSHOT_LIMIT = 50_000;
/** Names of types in one request; there are fewer types. */
const TYPES_LIMIT = 50;

const snapshotQuery = [
  {
    name: 'limit',
    kind: 'integer',
    maximum: SNAPSHOT_LIMIT,
    description:
      'Memories, at most; default 500. 0, and every number above 50,000, is 50,000. A negative number is a 400.',
  },
  {
    name: 'min_importance',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'The smallest importance of a memory; default 0, clamped to 0..1.',
  },
  {
    name: 'types',
    kind: 'list',
    maximumItems: TYPES_LIMIT,
    description: 'Comma-separated types of memories, spelled as in the answers; default all. Other names select none.',
  },
  {
    name: 'since',
    kind: 'text',
    description: 'The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.',
  },
] as const satisfies readonly QueryParameter[];

const snapshotReply = closed({
  nodes: { type: 'array', items: drawnMemory, description: 'Most important first, then newest.' },
  edges: { type: 'array', items: drawnWithProperties, description: 'The associations between the nodes.' },
  stats: closed({
    total_nodes: { ...count, description: 'Memories in the graph.' },
    total_edges: { ...count, description: 'Associations in the graph, of every type.' },
    returned_nodes: count,
    returned_edges: count,
    sampled: { ...flag, description: 'A limit left out memories of the selection, or associations between the nodes.' },
    sample_ratio: { ...number, description: 'returned_nodes / total_nodes; 1 for an empty graph.' },
  }),
  meta: drawingKeys,
});

export const snapshotOperations = {
  snapshotGraph: {
    method: 'GET',
    path: '/graph/snapshot',
    servedBy: 'query',
    access: 'api',
    summary: 'The most important memories and the associations between them',
    query: snapshotQuery,
    piecewise: true,
    replies: { 200: snapshotReply },
  },
} as const satisfies Record<string, Operation>;
