/**
 * Query parameters as data: the routes parse by these tables, OpenAPI shows them. A parameter that cannot be read takes its default
 * unless `refuse` says that it is a 400. What depends on configuration (the largest limit) is clamped by the room, not here.
 */
export type QueryParameter = {
  readonly name: string;
  /** Other names that existing clients send; the first one present wins. */
  readonly aliases?: readonly string[];
  /**
   * `text` trimmed; `flag` 1/true/yes/y/on and 0/false/no/off/n; `repeated` every occurrence, trimmed, blank ones dropped, commas
   * kept; `list` as repeated and each value split at commas; `vector` comma-separated numbers.
   */
  readonly kind: 'text' | 'flag' | 'integer' | 'number' | 'choice' | 'repeated' | 'list' | 'vector';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: boolean;
  /** Out of range or unreadable is a 400 with this text; `{reason}` is filled where a parser gives one. */
  readonly refuse?: string;
  readonly description: string;
};

type ValueOf<P extends QueryParameter> = P['kind'] extends 'flag'
  ? boolean
  : P['kind'] extends 'integer' | 'number'
    ? number
    : P['kind'] extends 'repeated' | 'list'
      ? readonly string[]
      : P['kind'] extends 'vector'
        ? Float32Array
        : P extends { readonly choices: readonly (infer C)[] }
          ? C
          : string;

/** What the parsed query looks like: a property for every parameter that was given and could be read. */
export type QueryValues<T extends readonly QueryParameter[]> = {
  readonly [P in T[number] as P['name']]?: ValueOf<P>;
};

const tagsRequired = {
  name: 'tags',
  kind: 'repeated',
  required: true,
  refuse: "'tags' query parameter is required",
  description: 'Whole tags, any of them; no regard to case. Repeat the parameter for more than one.',
} as const;

const consistentWith = {
  name: 'consistent_with',
  kind: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  refuse: "'consistent_with' must be a position of the journal: take it from Memory-Position of a write",
  description:
    'Memory-Position of a write that the answer should show: waits for it up to RECALL_CONSISTENT_WAIT_MS, and `consistency` says whether it does.',
} as const;

export const byTagQuery = [
  tagsRequired,
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'Page size; default 20, clamped to 1..200.',
  },
  { name: 'offset', kind: 'integer', minimum: 0, description: 'How many to skip; default 0.' },
  consistentWith,
] as const satisfies readonly QueryParameter[];

export const deleteByTagQuery = [tagsRequired] as const satisfies readonly QueryParameter[];

export const reprocessQuery = [
  { name: 'ids', kind: 'list', description: 'Memory ids with commas between them; read where the body names none.' },
] as const satisfies readonly QueryParameter[];

export const SORTS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
export type Sort = (typeof SORTS)[number];

export const recallQuery = [
  { name: 'query', kind: 'text', description: 'Natural language; `*` or nothing lists trending memories.' },
  {
    name: 'queries',
    kind: 'list',
    description:
      'Several queries in place of `query`, searched side by side and merged by memory; more than 10 are refused.',
  },
  {
    name: 'auto_decompose',
    kind: 'flag',
    description: 'Searches for the names and topics in the query as well; not with `queries`.',
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
    description: 'What each query may bring; default the limit, clamped like it.',
  },
  {
    name: 'max_tokens',
    kind: 'integer',
    minimum: 1,
    description: 'Cuts the results, best first, to about so many tokens; no memory is cut in half.',
  },
  {
    name: 'sort',
    aliases: ['order_by'],
    kind: 'choice',
    choices: SORTS,
    description: 'Default score; time_desc for a time window without a query.',
  },
  { name: 'tags', kind: 'repeated', description: 'Only memories with these tags.' },
  { name: 'exclude_tags', kind: 'list', description: 'No memory with a tag that begins with one of these.' },
  { name: 'tag_mode', kind: 'choice', choices: ['any', 'all'], description: 'Default any.' },
  { name: 'tag_match', kind: 'choice', choices: ['prefix', 'exact'], description: 'Default prefix.' },
  {
    name: 'time_query',
    aliases: ['time'],
    kind: 'text',
    description:
      'A window in words, such as `last 7 days`, `q3 2024`, `two weeks ago` or `since march`; what cannot be read is a 400.',
  },
  { name: 'start', kind: 'text', description: 'ISO 8601; overrides the beginning of time_query.' },
  { name: 'end', kind: 'text', description: 'ISO 8601; overrides the end of time_query.' },
  {
    name: 'context',
    kind: 'text',
    description: 'What the caller is doing, as a label: memories with that tag count more.',
  },
  {
    name: 'language',
    aliases: ['lang'],
    kind: 'text',
    description: 'Programming language: memories about it and about style count more.',
  },
  {
    name: 'active_path',
    aliases: ['file_path', 'focus_path'],
    kind: 'text',
    description: 'File that is worked on; its extension names the language.',
  },
  { name: 'context_tags', kind: 'list', description: 'Memories with these tags count more.' },
  { name: 'context_types', kind: 'list', description: 'Memories of these types count more.' },
  { name: 'priority_ids', kind: 'list', description: 'Memories that come first where the filters admit them.' },
  {
    name: 'expand_relations',
    aliases: ['expand_associations', 'expand'],
    kind: 'flag',
    description: 'Adds what is associated with the results.',
  },
  {
    name: 'expand_entities',
    aliases: ['entity_expansion'],
    kind: 'flag',
    description: 'Adds memories about the people, places and organizations of the results.',
  },
  { name: 'expand_respect_tags', kind: 'flag', description: 'Holds what is added to the tag filter as well.' },
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
    description: 'Memories that are added in all; default RECALL_EXPANSION_LIMIT.',
  },
  {
    name: 'expand_min_importance',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest importance of what is added.',
  },
  {
    name: 'expand_min_strength',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Smallest strength of an association that is followed.',
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
    description: 'Drops what is far below the best; default RECALL_ADAPTIVE_FLOOR.',
  },
  {
    name: 'recency_bias',
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    description:
      'Ranks newer results higher; `auto` when the query asks for what is latest. Default RECALL_RECENCY_BIAS.',
  },
  {
    name: 'scope_fallback',
    kind: 'flag',
    description: 'Fills a tag-scoped answer that falls short from outside its tags.',
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
    description: 'Older spelling: true is current, false is history; wins over state_mode.',
  },
  { name: 'state_debug', kind: 'flag', description: 'Adds what was suppressed and replaced to state_filter.' },
  {
    name: 'explain',
    kind: 'text',
    description:
      '`true` shows the evidence of every source for each result; the id of a memory adds why it is, or is not, among them.',
  },
  consistentWith,
] as const satisfies readonly QueryParameter[];
export type RecallQuery = QueryValues<typeof recallQuery>;
