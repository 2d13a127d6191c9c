/** Every option of every tool, and the requests that the service must receive. One row is one call. */
import { ABSENT_MEMORY_ID } from '../../memories/memory-fixtures.js';

/** Ids of stored memories for the calls. */
export type Cast = Readonly<Record<'one' | 'two' | 'third', string>>;

export type Row = {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** The requests in order. Only the parameters and fields named here are compared. */
  readonly received: readonly {
    readonly route: string;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
  }[];
};

const EMBEDDING = Array.from({ length: 384 }, (_, index) => (index === 0 ? 1 : 0));
const PAST = '2024-01-01T10:00:00Z';
const LATER = '2999-01-01T00:00:00Z';

export function rowsOf(cast: Cast): readonly Row[] {
  return [
    ...storeRows(cast),
    ...recallRows(cast),
    ...associateRows(cast),
    ...updateRows(cast),
    ...deleteRows(),
    { tool: 'check_database_health', given: {}, received: [{ route: 'GET /health' }] },
  ];
}

function storeRows({ third }: Cast): readonly Row[] {
  const content = 'The harbour opens at six';
  const single = (option: object, body = option): Row => ({
    tool: 'store_memory',
    given: { content, ...option },
    received: [{ route: 'POST /memory', body: { content, ...body } }],
  });
  const item = {
    content: 'The pier is long',
    type: 'Insight',
    confidence: 0.7,
    tags: ['pier'],
    importance: 0.6,
    metadata: { by: 'sea' },
    timestamp: PAST,
  };
  return [
    single({ type: 'Decision' }),
    single({ confidence: 0.8 }),
    single({ tags: ['harbour', 'a,b'] }),
    single({ importance: 0.9 }),
    single({ metadata: { by: { team: 1 } } }),
    single({ timestamp: PAST }),
    single({ t_valid: PAST }),
    single({ t_invalid: LATER }),
    single({ updated_at: PAST }),
    single({ last_accessed: PAST }),
    single({ embedding: EMBEDDING }),
    single({ type: 'decision', tags: 'one' }, { type: 'Decision', tags: ['one'] }),
    single({ id: ABSENT_MEMORY_ID }, {}),
    {
      tool: 'store_memory',
      given: { memories: [item, { content }] },
      received: [{ route: 'POST /memory/batch', body: { memories: [item, { content }] } }],
    },
    {
      tool: 'store_memory',
      given: {
        content,
        supersedes_memory_id: third,
        supersede_relation: 'EVOLVED_INTO',
        supersede_reason: 'a new tide',
      },
      received: [
        { route: 'GET /memory/:id' },
        { route: 'POST /memory', body: { content } },
        { route: 'PATCH /memory/:id' },
        { route: 'POST /associate', body: { memory1_id: third, type: 'EVOLVED_INTO', strength: 0.9 } },
      ],
    },
  ];
}

/** `query` is given where the text of the parameter differs from the argument. */
function recallRows({ one, two }: Cast): readonly Row[] {
  const ranked = (
    option: object,
    query: object = Object.fromEntries(Object.entries(option).map(([name, value]) => [name, String(value)])),
  ): Row => {
    return {
      tool: 'recall_memory',
      given: { query: 'harbour', ...option },
      received: [{ route: 'GET /recall', query: { query: 'harbour', ...query } }],
    };
  };
  return [
    ranked({}),
    ranked({ limit: 7 }),
    ranked({ per_query_limit: 3 }),
    ranked({ max_tokens: 900 }),
    ranked({ sort: 'updated_desc' }),
    ranked({ time_query: 'last 7 days' }),
    ranked({ start: PAST }),
    ranked({ end: LATER }),
    ranked({ tags: ['harbour', 'a,b'] }, { tags: ['harbour', 'a,b'] }),
    ranked({ exclude_tags: ['pier', 'quay'] }, { exclude_tags: ['pier', 'quay'] }),
    ranked({ tag_mode: 'all' }),
    ranked({ tag_match: 'exact' }),
    ranked({ expand_entities: true }),
    ranked({ expand_relations: true }),
    ranked({ expand_respect_tags: true }),
    ranked({ auto_decompose: true }),
    ranked({ expansion_limit: 3 }),
    ranked({ relation_limit: 2 }),
    ranked({ expand_min_importance: 0.4 }),
    ranked({ expand_min_strength: 0.3 }),
    ranked({ current_only: false }),
    ranked({ state_debug: true }),
    ranked({ state_mode: 'history' }),
    ranked({ recency_bias: 'on' }),
    ranked({ scope_fallback: true }),
    ranked({ distinct_by: 'document_id' }),
    ranked({ min_probability: 0.01 }),
    ranked({ min_score: 0.01 }),
    ranked({ adaptive_floor: false }),
    ranked({ context: 'planning' }),
    ranked({ language: 'rust' }),
    ranked({ active_path: 'src/a.ts' }),
    ranked({ context_tags: ['harbour'] }),
    ranked({ context_types: ['Style'] }),
    ranked({ priority_ids: [one, two] }, { priority_ids: [one, two] }),
    ranked({ explain: true }),
    ranked({ consistent_with: 1 }),
    ranked({ embedding: EMBEDDING }, { embedding: EMBEDDING.join(',') }),
    ranked({ format: 'items' }, {}),
    ranked({ limit: '7', tags: 'harbour' }, { limit: '7', tags: 'harbour' }),
    {
      tool: 'recall_memory',
      given: { queries: ['harbour', 'pier'] },
      received: [{ route: 'GET /recall', query: { queries: ['harbour', 'pier'] } }],
    },
    { tool: 'recall_memory', given: { memory_id: one }, received: [{ route: 'GET /memory/:id' }] },
    {
      tool: 'recall_memory',
      given: { exhaustive: true, tags: ['harbour'], limit: 200, offset: 1 },
      received: [{ route: 'GET /memory/by-tag', query: { tags: 'harbour', limit: '200', offset: '1' } }],
    },
  ];
}

function associateRows({ one, two }: Cast): readonly Row[] {
  const pair = { memory1_id: one, memory2_id: two, type: 'PREFERS_OVER' };
  const single = (option: object): Row => ({
    tool: 'associate_memories',
    given: { ...pair, ...option },
    received: [{ route: 'POST /associate', body: { ...pair, ...option } }],
  });
  return [
    single({}),
    single({ strength: 0.4 }),
    single({ context: 'ci' }),
    single({ reason: 'faster' }),
    single({ pattern_type: 'ci' }),
    single({ resolution: 'kept' }),
    single({ timestamp: PAST }),
    single({ transformation: 'split' }),
    single({ role: 'part' }),
    single({ confidence: 0.6 }),
    single({ observations: ['seen'] }),
    single({ properties: { reason: 'cheaper' } }),
    {
      tool: 'associate_memories',
      given: { associations: [pair] },
      received: [{ route: 'POST /associate', body: { associations: [pair] } }],
    },
  ];
}

function updateRows({ two }: Cast): readonly Row[] {
  const changes = [
    { content: 'The harbour opens at seven' },
    { tags: ['harbour', 'moved'] },
    { importance: 0.3 },
    { metadata: { a: 1 } },
    { timestamp: PAST },
    { t_valid: PAST },
    { t_invalid: LATER },
    { t_invalid: null },
    { updated_at: PAST },
    { last_accessed: PAST },
    { type: 'Insight' },
    { confidence: 0.4 },
  ];
  return changes.map((change) => ({
    tool: 'update_memory',
    given: { memory_id: two, ...change },
    received: [{ route: 'PATCH /memory/:id', body: change }],
  }));
}

function deleteRows(): readonly Row[] {
  return [
    {
      tool: 'delete_memory',
      given: { tags: ['no such tag', 'a,b,c'] },
      received: [{ route: 'DELETE /memory/by-tag', query: { tags: ['no such tag', 'a,b,c'] } }],
    },
  ];
}
