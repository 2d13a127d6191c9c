/** Examples of the operations on memories and associations, and of recall. */
import { AT, COFFEE, COFFEE_ID, type Example, ORDER_ID, TEA, TEA_ID } from './example.js';

const { id, content, type, importance, confidence, tags } = TEA;
const changed = { status: 'success', memory_id: id };
const relation = { type: 'EVOLVED_INTO', direction: 'incoming', strength: 0.9, created_at: AT, updated_at: AT };
const relations = [{ ...relation, memory: COFFEE }];

export const memoryExamples = {
  storeMemory: {
    body: { content, type, tags, importance },
    reply: {
      ...changed,
      stored_at: AT,
      type,
      confidence,
      qdrant: 'queued',
      embedding_status: 'queued',
      enrichment: 'queued',
      metadata: {},
      timestamp: AT,
      updated_at: AT,
      last_accessed: AT,
      query_time_ms: 4.12,
    },
  },
  storeBatch: {
    body: {
      memories: [
        { content: COFFEE.summary, tags: [...COFFEE.tags, 'entity:people:anna-berg'] },
        { content: 'Tea for the office is ordered on Mondays.', tags: ['office', 'entity:people:a-berg'] },
      ],
    },
    reply: {
      status: 'success',
      stored: 2,
      memory_ids: [COFFEE_ID, ORDER_ID],
      qdrant: 'stored (2)',
      enrichment: 'queued',
      query_time_ms: 38.5,
    },
  },
  associate: {
    body: { memory1_id: COFFEE_ID, memory2_id: TEA_ID, type: 'EVOLVED_INTO', strength: 0.9 },
    reply: {
      status: 'success',
      message: `Association created between ${COFFEE_ID} and ${TEA_ID}`,
      relation_type: 'EVOLVED_INTO',
      strength: 0.9,
    },
  },
  updateMemory: { parameters: { id }, body: { importance: 0.9 }, reply: changed },
  getMemory: { parameters: { id }, reply: { status: 'success', memory: { ...TEA, relations } } },
  listByTag: {
    parameters: { tags: ['drinks'], limit: 1 },
    reply: { status: 'success', tags: ['drinks'], count: 1, limit: 1, offset: 0, has_more: true, memories: [TEA] },
  },
  listMemories: {
    parameters: { text: 'tea', types: ['Preference'], tags: ['drinks'], limit: 1, facets: true },
    reply: {
      status: 'success',
      memories: [TEA],
      next_cursor: null,
      facets: {
        types: [{ type, count: 1 }],
        tags: tags.map((tag) => ({ tag, count: 1 })),
        times: { unit: 'day', counts: [{ from: TEA.timestamp.slice(0, 10), count: 1 }] },
        total: 1,
        counted: 1,
        is_partial: false,
      },
    },
  },
  listRelated: {
    parameters: { key: id, relationship_types: ['EVOLVED_INTO'], max_depth: 1 },
    reply: {
      status: 'success',
      memory_id: id,
      count: 1,
      related_memories: [COFFEE],
      relationship_types: ['EVOLVED_INTO'],
      max_depth: 1,
      limit: 5,
      truncated: false,
    },
  },
  recall: {
    parameters: { query: 'What does Anna drink?', limit: 1 },
    reply: {
      status: 'success',
      query: 'What does Anna drink?',
      results: [
        {
          id,
          score: 0.613328,
          final_score: 0.613328,
          original_score: 0.613328,
          match_type: 'semantic',
          match_score: 0.72,
          source: 'qdrant',
          match_probability: 0.51,
          memory: { ...TEA, memory_id: id, created_at: AT },
          relations,
          score_components: {
            vector: 0.72,
            keyword: 0.435,
            metadata: 0,
            relation: 0,
            tag: 0.5,
            importance,
            confidence,
            recency: 1,
            exact: 0,
            relevance: 0,
            context: 0,
            evidence: 0.5,
            relevance_gated: false,
          },
        },
      ],
      count: 1,
      dedup_removed: 0,
      sort: 'score',
      state_mode: 'current',
      vector_search: { enabled: true, matched: true },
      tag_mode: 'any',
      tag_match: 'prefix',
      keywords: ['anna', 'drink'],
      query_time_ms: 12.4,
    },
  },
  startupRecall: {
    reply: {
      status: 'success',
      critical_lessons: [
        {
          id: ORDER_ID,
          content: 'Run the migrations before the deployment.',
          tags: ['critical', 'lesson'],
          importance: 0.95,
          type: 'Insight',
          metadata: {},
        },
      ],
      system_rules: [],
      lesson_count: 1,
      has_critical: true,
      summary: 'Recalled 1 lesson(s) and 0 system rule(s)',
    },
  },
  restoreMemory: { parameters: { id }, reply: { ...changed, restored: true } },
} as const satisfies Record<string, Example>;

/** They come last: the other examples need the memories. */
export const deletionExamples = {
  deleteMemory: { parameters: { id }, reply: changed },
  deleteByTag: {
    parameters: { tags: ['office'] },
    reply: { status: 'success', tags: ['office'], deleted_count: 1 },
  },
} as const satisfies Record<string, Example>;
