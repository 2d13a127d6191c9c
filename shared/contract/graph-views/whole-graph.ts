/** GET /graph/snapshot, /graph/stats, /overview and /analyze: the graph as a whole. */
import { type Operation, route } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, flag, number, success, text } from '../reply-parts.js';
import { drawingKeys, drawnMemory, drawnWithProperties } from './drawing.js';

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
    name: 'offset',
    kind: 'integer',
    maximum: SNAPSHOT_LIMIT,
    description:
      'For a client that has the first memories of the snapshot, at most 50,000: leaves out this number of them, which count for `limit`, and the associations among them. Default 0; a negative number is a 400.',
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

const counts = { type: 'object', additionalProperties: count } as const;

/** Memories that /analyze reads for each statistic, the newest ones. */
export const ANALYZED = { temporal: 100, entities: 200, confidence: 500 } as const;
const list = <S extends object>(items: S) => ({ type: 'array', items }) as const;

const byDay = list(closed({ date: { ...text, format: 'date' }, count }));

/** Tags and entities in an overview. */
export const OVERVIEW_TOP = 10;
/** The newest memories whose tags an overview counts. */
export const OVERVIEW_TAGGED = 1_000;

const overviewReply = closed({
  status: success,
  read_at: { ...text, description: 'The time of these counts: an answer is repeated for 5 seconds.' },
  memories: { ...count, description: 'Memories now, in every state.' },
  associations: { ...count, description: 'Associations now, of every type.' },
  by_type: { ...counts, description: 'Memories of each type that has any.' },
  added: {
    ...byDay,
    description: 'Memories by the UTC date of their timestamp: the last 30 days, the oldest first.',
  },
  tagged: { ...count, description: `The newest memories, at most ${OVERVIEW_TAGGED}, whose tags are counted below.` },
  top_tags: {
    ...list(closed({ tag: text, memories: count })),
    description: `The ${OVERVIEW_TOP} tags that most of them have, in lower case, without those of entities.`,
  },
  top_entities: {
    ...list(closed({ tag: text, name: text, category: text, memories: count })),
    description: `The ${OVERVIEW_TOP} entities that most of them name.`,
  },
});

const statsReply = closed({
  totals: closed({ nodes: count, edges: count }),
  by_type: counts,
  by_relationship: counts,
  importance_distribution: {
    ...closed({ high: count, medium: count, low: count }),
    description: 'From 0.8 on, from 0.5 on, and below.',
  },
  recent_activity: {
    ...byDay,
    description: 'Memories by the UTC date of their timestamp: the last 30 days, the oldest first.',
  },
  meta: drawingKeys,
});

const analyzeReply = closed({
  status: success,
  elapsed_ms: number,
  analytics: closed({
    memory_types: {
      type: 'object',
      additionalProperties: closed({ count, average_confidence: number }),
      description: 'The average is that of at most 500 memories of a type.',
    },
    patterns: {
      ...list(closed({ type: text, description: text, confidence: number, observations: count })),
      description: 'At most 10 with a confidence above 0.6, the highest first.',
    },
    preferences: {
      ...list(closed({ prefers: text, over: text, context: text, strength: number })),
      description: 'The 10 strongest PREFERS_OVER.',
    },
    temporal_insights: {
      type: 'object',
      additionalProperties: closed({ count, avg_importance: number }),
      description: `By UTC hour, as \`hour_08\`: the newest ${ANALYZED.temporal} memories.`,
    },
    entity_frequency: {
      type: 'object',
      additionalProperties: count,
      description: `The 50 names in the entities, keywords and topics of most of the newest ${ANALYZED.entities} memories.`,
    },
    confidence_distribution: {
      ...closed({ low: count, medium: count, high: count }),
      description: `Below 0.4, below 0.7, and above: the newest ${ANALYZED.confidence} memories.`,
    },
  }),
});

export const wholeGraphOperations = {
  snapshotGraph: {
    ...route('GET /graph/snapshot', 'query', 'api'),
    tag: 'Graph',
    summary: 'The most important memories and the associations between them',
    description:
      'Streams the most important memories of a selection, then every association between them, then the counts. A failure after the beginning cuts the connection.',
    cost: 150,
    query: snapshotQuery,
    piecewise: true,
    replies: { 200: snapshotReply },
  },
  graphStats: {
    ...route('GET /graph/stats', 'query', 'api'),
    cost: 15,
    tag: 'Graph',
    summary: 'Counts of memories and associations',
    description: 'Counts by type, by importance and by day, from counts and indexes that are kept with each write.',
    replies: { 200: statsReply },
  },
  readOverview: {
    ...route('GET /overview', 'query', 'api'),
    cost: 40,
    tag: 'Graph',
    summary: 'Memories, their growth, and the most used types, tags and entities',
    description:
      'Counts for a first look, from counts and indexes that are kept with each write. A key with a tag cannot call it, because the counts are those of all memories.',
    replies: { 200: overviewReply },
  },
  analyzeMemories: {
    ...route('GET /analyze', 'query', 'api'),
    cost: 100,
    tag: 'Graph',
    summary: 'Types, patterns, preferences and entities of the memories',
    description:
      'Counts and lists for an overview. All but the counts are made from the newest memories, so the cost does not grow with the graph.',
    replies: { 200: analyzeReply },
  },
} as const satisfies Record<string, Operation>;
