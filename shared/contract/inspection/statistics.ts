/** GET /graph/stats and GET /analyze: statistics of the graph. */
import type { Operation } from '../operation.js';
import { closed, count, number, success, text } from '../reply-parts.js';
import { drawingKeys } from './drawing-keys.js';

const counts = { type: 'object', additionalProperties: count } as const;

/** Memories that /analyze reads for each statistic, the newest ones. */
export const ANALYZED = { temporal: 100, entities: 200, confidence: 500 } as const;
const list = <S extends object>(items: S) => ({ type: 'array', items }) as const;

const statsReply = closed({
  totals: closed({ nodes: count, edges: count }),
  by_type: counts,
  by_relationship: counts,
  importance_distribution: {
    ...closed({ high: count, medium: count, low: count }),
    description: 'From 0.8 on, from 0.5 on, and below.',
  },
  recent_activity: {
    ...list(closed({ date: { ...text, format: 'date' }, count })),
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

export const statisticsOperations = {
  graphStats: {
    method: 'GET',
    path: '/graph/stats',
    servedBy: 'query',
    access: 'api',
    summary: 'Counts of memories and associations',
    replies: { 200: statsReply },
  },
  analyzeMemories: {
    method: 'GET',
    path: '/analyze',
    servedBy: 'query',
    access: 'api',
    summary: 'Types, patterns, preferences and entities of the memories',
    replies: { 200: analyzeReply },
  },
} as const satisfies Record<string, Operation>;
