/** Examples of the operations that show the graph and its entities. */
import { PUBLIC_ASSOCIATION_TYPES, RELATION_COLORS, TYPE_COLORS } from '../graph-views/drawing.js';
import { MEMORY_TYPES } from '../memory.js';
import { AT, COFFEE, COFFEE_ID, type Example, ORDER_ID, TEA, TEA_ID } from './example.js';

const meta = {
  type_colors: TYPE_COLORS,
  relation_colors: RELATION_COLORS,
  query_time_ms: 6.3,
  archive_threshold: 0,
};
const drawn = {
  id: COFFEE_ID,
  content: COFFEE.summary,
  type: 'Context',
  importance: 0.5,
  confidence: 0.9,
  tags: COFFEE.tags,
  timestamp: AT,
  color: TYPE_COLORS['Context'],
  radius: 1.25,
  opacity: 0.94,
};
const edge = {
  id: `${COFFEE_ID}-EVOLVED_INTO-${TEA_ID}`,
  source: COFFEE_ID,
  target: TEA_ID,
  type: 'EVOLVED_INTO',
  strength: 0.9,
  color: RELATION_COLORS['EVOLVED_INTO'],
};
const anna = {
  id: 'entity:people:anna-berg',
  slug: 'anna-berg',
  category: 'people',
  name: 'Anna Berg',
  aliases: [],
  identity: null,
  identity_version: 0,
  identity_updated_at: null,
  identity_source_count: null,
  reference_count: 2,
  created_at: AT,
  last_referenced_at: AT,
};

export const graphExamples = {
  listNeighbours: {
    parameters: { id: TEA_ID, include_semantic: 'false' },
    reply: {
      center: { ...TEA, color: TYPE_COLORS['Preference'] },
      graph_neighbors: [drawn],
      semantic_neighbors: [],
      edges: [edge],
      meta: { depth: 1, query_time_ms: 6.3, truncated: false, semantic: 'off' },
    },
  },
  snapshotGraph: {
    parameters: { limit: 1 },
    reply: {
      nodes: [{ ...drawn, updated_at: AT, metadata: {} }],
      edges: [{ ...edge, properties: {} }],
      stats: {
        total_nodes: 3,
        total_edges: 1,
        returned_nodes: 1,
        returned_edges: 1,
        sampled: true,
        sample_ratio: 0.3333,
      },
      meta,
    },
  },
  graphStats: {
    reply: {
      totals: { nodes: 3, edges: 1 },
      by_type: { Context: 2, Preference: 1 },
      by_relationship: { EVOLVED_INTO: 1 },
      importance_distribution: { high: 1, medium: 2, low: 0 },
      recent_activity: [{ date: '2026-06-01', count: 3 }],
      meta,
    },
  },
  readOverview: {
    reply: {
      status: 'success',
      read_at: AT,
      memories: 3,
      associations: 1,
      by_type: { Context: 2, Preference: 1 },
      added: [{ date: '2026-06-01', count: 3 }],
      tagged: 3,
      top_tags: [{ tag: 'drinks', memories: 2 }],
      top_entities: [{ tag: anna.id, name: anna.name, category: 'people', memories: 2 }],
    },
  },
  analyzeMemories: {
    reply: {
      status: 'success',
      elapsed_ms: 8.1,
      analytics: {
        memory_types: { Context: { count: 2, average_confidence: 0.6 } },
        patterns: [],
        preferences: [],
        temporal_insights: { hour_08: { count: 3, avg_importance: 0.6333 } },
        entity_frequency: { 'Anna Berg': 2 },
        confidence_distribution: { low: 1, medium: 0, high: 2 },
      },
    },
  },
  listGraphTypes: { reply: { types: MEMORY_TYPES, colors: TYPE_COLORS } },
  listGraphRelations: { reply: { relations: PUBLIC_ASSOCIATION_TYPES, colors: RELATION_COLORS } },
  listEntities: {
    parameters: { category: 'people', limit: 10 },
    reply: { status: 'success', entities: [anna], count: 1 },
  },
  getEntity: { parameters: { slug: 'anna-berg' }, reply: { status: 'success', entity: anna } },
  listMergeCandidates: {
    reply: {
      status: 'success',
      candidates: [
        {
          entity_a: 'anna-berg',
          entity_b: 'ana-berg',
          canonical: 'anna-berg',
          alias: 'ana-berg',
          confidence: 0.91,
          reason: 'similar slugs',
          auto_merge: false,
        },
      ],
      count: 1,
      truncated: false,
    },
  },
  auditEntities: {
    parameters: { summary: true },
    reply: {
      status: 'success',
      dry_run: true,
      accepted_sample: [
        {
          id: anna.id,
          category: 'people',
          slug: anna.slug,
          name: anna.name,
          source_tags: [anna.id],
          references: 2,
          confidence: 0.95,
        },
      ],
      rejected_sample: [
        {
          tag: 'entity:people:a-berg',
          category: 'people',
          slug: 'a-berg',
          reason: 'low_signal_people_slug',
          memory_id: ORDER_ID,
        },
      ],
      merge_candidates: [],
      counts: {
        accepted_entities: 1,
        rejected_entities: 1,
        accepted_total_unfiltered: 1,
        rejected_total_unfiltered: 1,
        merge_candidates: 0,
        auto_merge_candidates: 0,
        review_merge_candidates: 0,
      },
      counts_by_reason: { low_signal_people_slug: 1 },
      counts_by_category: { people: { accepted: 1, rejected: 1 } },
      limit: 100,
      offset: 0,
      summary: true,
      merge_candidates_skipped: true,
      truncated: false,
    },
  },
  mergeEntity: {
    parameters: { slug: 'a-berg' },
    body: { merge_into: 'anna-berg' },
    reply: {
      status: 'success',
      merge: { canonical: 'anna-berg', alias: 'A Berg', alias_slug: 'a-berg', edges_moved: 1 },
    },
  },
  unmergeEntity: {
    parameters: { slug: 'a-berg' },
    reply: {
      status: 'success',
      unmerge: {
        canonical: 'anna-berg',
        alias: 'A Berg',
        alias_slug: 'a-berg',
        edges_moved: 1,
        enrichments_requested: 0,
      },
    },
  },
} as const satisfies Record<string, Example>;
