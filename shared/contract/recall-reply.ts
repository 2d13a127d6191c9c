/** The body of the answer of a recall, as JSON Schema. */
import { explainedMemory, explainedResult } from './explain-reply.js';
import { memorySchema } from './memory.js';
import { consistency, relationSchema } from './replies.js';
import { closed, count, flag, number, success, text, textList, textOrNull, type ValueOf } from './reply-parts.js';

export const scoreComponents = closed(
  {
    vector: number,
    keyword: number,
    metadata: number,
    relation: number,
    tag: number,
    importance: number,
    confidence: number,
    recency: number,
    exact: number,
    relevance: number,
    context: number,
    evidence: number,
  },
  {
    relevance_gated: flag,
    temporal: number,
    entity_expansion: number,
  },
);
export const recalledMemory = {
  type: 'object',
  additionalProperties: false,
  required: [...memorySchema.required, 'memory_id', 'created_at'],
  properties: { ...memorySchema.properties, memory_id: text, created_at: text },
} as const;
const replacedRelation = closed({ type: text, strength: number, from: text });
const followedRelation = closed({ type: text, strength: number, from: text, seed_rank: count, seed_score: number });
export const recallResult = closed(
  {
    id: text,
    score: number,
    final_score: number,
    match_score: number,
    match_type: {
      type: 'string',
      enum: ['semantic', 'keyword', 'tag', 'relation', 'entity', 'trending', 'metadata', 'priority', 'replacement'],
    },
    source: { type: 'string', enum: ['qdrant', 'graph'] },
    memory: recalledMemory,
    relations: { type: 'array', items: { anyOf: [relationSchema, replacedRelation, followedRelation] } },
    score_components: scoreComponents,
  },
  {
    original_score: number,
    _query: text,
    match_probability: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description:
        'The estimated probability that the memory answers the query; absent in a listing. Unlike `relevance`, it does not fall with age.',
    },
    related_to: { type: 'array', items: followedRelation },
    relation_score: number,
    expanded_from_entity: text,
    deduped_from: textList,
    source_pieces: {
      ...textList,
      maxItems: 20,
      description:
        'The ids of other candidates of the same source (`distinct_by`), best first, at most 20; absent when there are none.',
    },
    state_replaces: text,
    outside_tag_scope: flag,
    explain: explainedResult,
  },
);
export type RecallResult = ValueOf<typeof recallResult>;
/** A result with `detail=compact`. */
export const compactResult = closed(
  {
    id: text,
    content: text,
    type: text,
    tags: textList,
    score: number,
    match_type: recallResult.properties.match_type,
    timestamp: text,
    updated_at: text,
  },
  { explain: explainedResult },
);
export type CompactResult = ValueOf<typeof compactResult>;
export const recallReply = closed(
  {
    status: success,
    query: text,
    results: { type: 'array', items: { anyOf: [recallResult, compactResult] } },
    count,
    dedup_removed: count,
    sort: text,
    state_mode: text,
    vector_search: closed({ enabled: flag, matched: flag }),
    tag_mode: text,
    tag_match: text,
    query_time_ms: number,
  },
  {
    keywords: textList,
    queries: textList,
    time_window: closed({ start: textOrNull, end: textOrNull }),
    tags: textList,
    tag_scope: closed({ filtered: flag, pool_size_hint: { type: ['integer', 'null'] }, gated_low_evidence: count }),
    exclude_tags: textList,
    expansion: closed({
      enabled: flag,
      seed_count: count,
      expanded_count: count,
      relation_limit: count,
      expansion_limit: count,
      respect_tags: flag,
    }),
    entity_expansion: closed({ enabled: flag, expanded_count: count, entities_found: textList }),
    context_priority: closed({
      language: textOrNull,
      context: textOrNull,
      priority_tags: textList,
      priority_types: textList,
      injected: flag,
    }),
    state_filter: closed(
      { current_only: flag, suppressed_count: count, replacement_count: count },
      {
        suppressed: {
          type: 'array',
          items: closed({ id: text, reason: text }, { replacement_id: text, relation_type: text }),
        },
        replacements: { type: 'array', items: closed({ id: text, replaces_id: text, relation_type: text }) },
      },
    ),
    score_filter: closed(
      { min_score: { type: ['number', 'null'] }, adaptive_floor: { type: ['number', 'null'] }, filtered_count: count },
      { min_probability: number },
    ),
    nothing_fits: {
      ...flag,
      description:
        'True when no result has a `match_probability` of 0.02 or more. Absent in a listing and in a degraded answer.',
    },
    recency_bias: { type: 'string', const: 'on', description: 'Present when newer results rank higher.' },
    day_coverage: {
      type: 'string',
      const: 'on',
      description:
        'Present when the results cover as many days as possible, because the query asks for a history as a whole ("summarize", "in which order", "across our conversations"): each result costs the others of its day 0.05 points in the order.',
    },
    scope_fallback: {
      type: 'boolean',
      const: true,
      description: 'Present when scope_fallback applies to this recall.',
    },
    budget: {
      ...closed({ max_tokens: count, estimated_tokens: count, omitted: textList }),
      description:
        'The results that `max_tokens` left out. A result counts as 40 tokens plus one for every 4 bytes of its content and tags.',
    },
    degraded: {
      type: 'array',
      items: closed({ source: text, reason: text }),
      description: 'Sources that did not answer; absent when all did.',
    },
    entities: {
      type: 'array',
      description: 'Entities that the query names or the first results are tagged with, and whose identity is known.',
      items: closed({
        id: text,
        slug: text,
        category: text,
        name: text,
        aliases: textList,
        identity: text,
        identity_source_count: count,
        identity_updated_at: text,
      }),
    },
    explain: explainedMemory,
    consistency,
  },
);
