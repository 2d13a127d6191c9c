/** The structured content of `recall_memory`. A newer service may add fields to its blocks. */
import { count, flag, number, text, textList } from '../../../shared/contract/reply-parts.js';
import type { ObjectSchema } from '../tool.js';

const block = { type: 'object' } as const;

/** The fields of a memory that the service sends and an item shows. */
export const memoryFields = {
  content: text,
  summary: text,
  tags: textList,
  importance: number,
  created_at: text,
  updated_at: text,
  last_accessed: text,
  t_valid: text,
  t_invalid: text,
  type: text,
  confidence: number,
  metadata: block,
} as const;

/** The fields of a result of the service, next to its memory, that an item shows. */
export const resultFields = {
  final_score: number,
  match_probability: {
    ...number,
    description: 'How probably the memory answers the query, 0 to 1; absent in a listing.',
  },
  match_type: text,
  deduped_from: textList,
  source_pieces: textList,
  expanded_from_entity: text,
  outside_tag_scope: flag,
  state_replaces: text,
  match_score: number,
  relation_score: number,
  source: text,
  score_components: block,
} as const;

const item = {
  type: 'object',
  required: ['memory_id', 'tags', 'importance'],
  properties: {
    memory_id: text,
    ...memoryFields,
    content_truncated: { ...flag, description: 'content is its beginning; memory_id fetches it whole.' },
    content_chars: { ...count, description: 'How long the content is where it is not shown whole.' },
    shortened: { ...flag, description: 'It alone would have broken the token budget; memory_id fetches it whole.' },
    tags_total: count,
    metadata_keys: textList,
    relations: { type: 'array', items: block },
    relations_total: count,
    ...resultFields,
  },
} as const;

export const recallOutput: ObjectSchema = {
  type: 'object',
  required: ['count', 'results'],
  properties: {
    mode: { type: 'string', enum: ['ranked', 'enumeration', 'id_fetch'] },
    count: { ...count, description: 'The length of results.' },
    results: { type: 'array', items: item },
    truncation: {
      type: 'object',
      required: ['applied', 'omitted_results', 'reason'],
      properties: { applied: flag, omitted_results: count, reason: text },
      description: 'What the token budget left out; absent when nothing was.',
    },
    has_more: flag,
    limit: count,
    offset: count,
    query: text,
    queries: textList,
    sort: text,
    state_mode: text,
    tag_mode: text,
    tag_match: text,
    tags: textList,
    exclude_tags: textList,
    keywords: textList,
    dedup_removed: count,
    time_window: block,
    tag_scope: block,
    vector_search: block,
    expansion: block,
    entity_expansion: block,
    context_priority: block,
    state_filter: block,
    score_filter: block,
    nothing_fits: { ...flag, description: 'true: no result is likely to answer the query.' },
    recency_bias: { type: 'string', enum: ['auto', 'on', 'off'] },
    scope_fallback: flag,
    budget: { ...block, description: 'What max_tokens left out.' },
    degraded: { type: 'array', items: block, description: 'Sources that did not answer; absent when all did.' },
    consistency: block,
    explain: block,
    query_time_ms: number,
  },
};
