/** The parameters of GET /recall. */
import { LIST_LIMIT, QUERIES_LIMIT, QUERY_LENGTH_LIMIT } from '../limits.js';
import { consistentWith, type QueryParameter, type QueryValues } from '../queries.js';

export const SORTS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
export type Sort = (typeof SORTS)[number];

export const recallQuery = [
  {
    name: 'query',
    kind: 'text',
    description: 'Natural language, of which the first 4,096 characters count; `*` or nothing lists trending memories.',
  },
  {
    name: 'queries',
    kind: 'list',
    maximumItems: QUERIES_LIMIT,
    description:
      'Several queries in place of `query`, searched in parallel and merged by memory; more than 10 are rejected.',
  },
  {
    name: 'auto_decompose',
    kind: 'flag',
    description: 'Also searches for the names and topics in the query; not with `queries`.',
  },
  {
    name: 'embedding',
    kind: 'vector',
    refuse: 'Embedding must contain numeric values',
    description: 'Comma-separated numbers, as many as the vector size.',
  },
  { name: 'limit', kind: 'integer', minimum: 1, description: 'Default 5; clamped to 1..RECALL_MAX_LIMIT.' },
  {
    name: 'per_query_limit',
    kind: 'integer',
    minimum: 1,
    description: 'Largest number of results per query; default `limit`, clamped like it.',
  },
  {
    name: 'max_tokens',
    kind: 'integer',
    minimum: 1,
    description: 'Cuts the list of results, best first, to about this many tokens; memories stay whole.',
  },
  {
    name: 'sort',
    aliases: ['order_by'],
    kind: 'choice',
    choices: SORTS,
    description: 'Default score; time_desc for a time window without a query.',
  },
  { name: 'tags', kind: 'repeated', maximumItems: LIST_LIMIT, description: 'Only memories with these tags.' },
  {
    name: 'exclude_tags',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: 'Excludes memories with a tag that begins with one of these.',
  },
  { name: 'tag_mode', kind: 'choice', choices: ['any', 'all'], description: 'Default any.' },
  { name: 'tag_match', kind: 'choice', choices: ['prefix', 'exact'], description: 'Default prefix.' },
  {
    name: 'time_query',
    aliases: ['time'],
    kind: 'text',
    description:
      'A time window in words: `last 7 days`, `q3 2024`, `two weeks ago` or `since march`; 400 when it cannot be parsed.',
  },
  { name: 'start', kind: 'text', description: 'ISO 8601; overrides the start of time_query.' },
  { name: 'end', kind: 'text', description: 'ISO 8601; overrides the end of time_query.' },
  {
    name: 'context',
    kind: 'text',
    description: 'A label for the work of the caller: memories with this tag rank higher.',
  },
  {
    name: 'language',
    aliases: ['lang'],
    kind: 'text',
    description: 'Programming language: memories about it and about style rank higher.',
  },
  {
    name: 'active_path',
    aliases: ['file_path', 'focus_path'],
    kind: 'text',
    description: 'The file that the caller edits; its extension gives the language.',
  },
  {
    name: 'context_tags',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: 'Memories with these tags rank higher.',
  },
  {
    name: 'context_types',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: 'Memories of these types rank higher.',
  },
  {
    name: 'priority_ids',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: 'Memories that come first if they match the filters.',
  },
  {
    name: 'expand_relations',
    aliases: ['expand_associations', 'expand'],
    kind: 'flag',
    description: 'Adds memories that are associated with the results.',
  },
  {
    name: 'expand_entities',
    aliases: ['entity_expansion'],
    kind: 'flag',
    description: 'Adds memories about the people, places and organizations of the results.',
  },
  { name: 'expand_respect_tags', kind: 'flag', description: 'Applies the tag filter to added memories, too.' },
  {
    name: 'relation_limit',
    kind: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'Associations followed from each result; default RECALL_RELATION_LIMIT.',
  },
  {
    name: 'expansion_limit',
    aliases: ['relation_expansion_limit'],
    kind: 'integer',
    minimum: 1,
    maximum: 500,
    description: 'Largest number of added memories; default RECALL_EXPANSION_LIMIT.',
  },
  {
    name: 'expand_min_importance',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest importance of an added memory.',
  },
  {
    name: 'expand_min_strength',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest strength of an association that is followed.',
  },
  {
    name: 'min_probability',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest `match_probability` of a result; default 0. A listing without a query drops nothing.',
  },
  {
    name: 'min_score',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest final score; default RECALL_MIN_SCORE.',
  },
  {
    name: 'adaptive_floor',
    kind: 'flag',
    description: 'Drops results that score far below the best; default RECALL_ADAPTIVE_FLOOR.',
  },
  {
    name: 'recency_bias',
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    description:
      'Ranks newer results higher; `auto`: when the query asks for recent memories. Default RECALL_RECENCY_BIAS.',
  },
  {
    name: 'distinct_by',
    kind: 'text',
    pattern: '^[A-Za-z0-9_.-]{0,64}$',
    refuse: "'distinct_by' must be 1 to 64 letters, digits, '_', '-' or '.': name one metadata field, or none",
    description:
      'The metadata field that names the source of a memory: in a search by score, memories with the same value take one place, and `source_pieces` lists the others. `none`: each memory has its own place. Default source_id.',
  },
  {
    name: 'scope_fallback',
    kind: 'flag',
    description: 'Adds memories outside the tags when the tags give too few results.',
  },
  {
    name: 'state_mode',
    kind: 'choice',
    choices: ['current', 'history'],
    refuse: "'state_mode' must be 'current' or 'history'",
    description: 'Default current.',
  },
  {
    name: 'current_only',
    kind: 'flag',
    description: 'Older form of state_mode, which it overrides: true is current, false is history.',
  },
  {
    name: 'detail',
    kind: 'choice',
    choices: ['full', 'compact'],
    description:
      '`compact` shows id, content, type, tags, score, match type and times of each result alone. Default full.',
  },
  { name: 'state_debug', kind: 'flag', description: 'Adds suppressed and replaced memories to state_filter.' },
  {
    name: 'explain',
    kind: 'text',
    description:
      '`true` adds the evidence of every source to each result; a memory id also explains why this memory is or is not a result.',
  },
  consistentWith,
] as const satisfies readonly QueryParameter[];
export type RecallQuery = QueryValues<typeof recallQuery>;

/** Each text is encoded and searched, each expansion reads around each result, each value of a list is a condition. */
export function recallCost(asked: Readonly<Record<string, unknown>>): number {
  const {
    query = '',
    queries = [query],
    limit = 5,
    auto_decompose,
    expand_relations,
    expand_entities,
    ...others
  } = asked as Partial<RecallQuery>;
  const texts = queries.map((text) => 4 + Math.min(text.length, QUERY_LENGTH_LIMIT) / 200);
  const { embedding: _embedding, ...rest } = others;
  const lists = Object.values(rest).filter((value) => Array.isArray(value));
  const expansions = [expand_relations, expand_entities].filter((isOn) => isOn === true).length;
  return (
    8 +
    sum(texts) * (auto_decompose === true ? 3 : 1) +
    sum(lists.map((list) => list.length / 20)) +
    Math.min(limit, 100) / 3 +
    expansions * (15 + Math.min(limit, 100) / 5)
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
