/** What AutoMem's bridge, command line, hosts and sidecar send, request by request and in their spelling. Each test file replays its client's. */

export type ClientRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
};
/** In the order and the repetitions in which the client appends them; `URLSearchParams` writes them as the clients do. */
export type Parameters = readonly (readonly [name: string, value: string])[];

export const recallRequest = (parameters: Parameters = []): ClientRequest =>
  get(parameters.length === 0 ? '/recall' : `/recall?${queryOf(parameters)}`);
export const readRequest = (id: string): ClientRequest => get(`/memory/${encodeURIComponent(id)}`);
export const storeRequest = (body: object): ClientRequest => ({ method: 'POST', path: '/memory', body });
export const storeBatchRequest = (memories: readonly object[]): ClientRequest => ({
  method: 'POST',
  path: '/memory/batch',
  body: { memories },
});
export const updateRequest = (id: string, body: object): ClientRequest => ({
  method: 'PATCH',
  path: `/memory/${encodeURIComponent(id)}`,
  body,
});
export const deleteRequest = (id: string): ClientRequest => ({
  method: 'DELETE',
  path: `/memory/${encodeURIComponent(id)}`,
});
export const associateRequest = (body: object): ClientRequest => ({ method: 'POST', path: '/associate', body });
export const healthRequest: ClientRequest = get('/health');

export const listByTagRequest = (tags: readonly string[], rest?: Parameters): ClientRequest => get(byTag(tags, rest));
export const deleteByTagRequest = (tags: readonly string[]): ClientRequest => ({ method: 'DELETE', path: byTag(tags) });

/** The unit vector along one axis, of the size of the bundled encoder. */
export const unitVector = (axis: number): number[] =>
  Array.from({ length: 512 }, (_, index) => (index === axis ? 1 : 0));

/** Every field that `store_memory` forwards. An id of the caller's own is sent along and counts for nothing. */
export const STORE_OF_EVERY_FIELD = {
  content: 'Chose Neo4j over Postgres for the graph, because of path queries',
  type: 'Decision',
  confidence: 0.85,
  id: '11111111-2222-4333-8444-555555555555',
  tags: ['architecture', 'Project/Atlas'],
  importance: 0.9,
  embedding: unitVector(3),
  metadata: { source: 'bridge', nested: { list: [1, 'two'] } },
  timestamp: '2024-05-04T10:20:30.123Z',
  t_valid: '2024-05-04T00:00:00.000Z',
  t_invalid: '2999-01-01T00:00:00.000Z',
  updated_at: '2024-05-05T10:20:30.000Z',
  last_accessed: '2024-05-06T10:20:30.000Z',
};

/** What `recall_memory` forwards when a caller sets everything, in the bridge's order; the service has no use for `format` and `offset`. */
export const RECALL_OF_EVERY_PARAMETER: Parameters = [
  ['query', 'deploy pipeline'],
  ['limit', '20'],
  ['time_query', 'last 90 days'],
  ['start', '2020-01-01T00:00:00.000Z'],
  ['end', '2999-01-01T00:00:00.000Z'],
  ['tags', 'atlas'],
  ['tags', 'ops'],
  ['exclude_tags', 'draft'],
  ['exclude_tags', 'private'],
  ['tag_mode', 'any'],
  ['tag_match', 'prefix'],
  ['expand_relations', 'true'],
  ['expand_respect_tags', 'false'],
  ['expand_entities', 'true'],
  ['auto_decompose', 'true'],
  ['expansion_limit', '10'],
  ['relation_limit', '3'],
  ['expand_min_importance', '0.1'],
  ['expand_min_strength', '0.1'],
  ['current_only', 'true'],
  ['state_debug', 'true'],
  ['state_mode', 'current'],
  ['recency_bias', 'on'],
  ['scope_fallback', 'true'],
  ['min_score', '0.01'],
  ['adaptive_floor', 'false'],
  ['context', 'architecture'],
  ['language', 'typescript'],
  ['active_path', 'src/deploy/main.ts'],
  ['context_tags', 'style'],
  ['context_tags', 'lint'],
  ['context_types', 'Decision'],
  ['context_types', 'Pattern'],
  ['priority_ids', '11111111-2222-4333-8444-555555555555'],
  ['per_query_limit', '10'],
  ['sort', 'score'],
  ['format', 'detailed'],
  ['offset', '5'],
];

/** How the policy that all hosts share begins a session, and what it asks when something is broken. */
export const SESSION_POLICY = {
  preferences: [
    ['limit', '20'],
    ['tags', 'preference'],
    ['sort', 'updated_desc'],
    ['format', 'detailed'],
  ],
  taskContext: [
    ['query', 'how is the deploy pipeline set up'],
    ['limit', '30'],
    ['time_query', 'last 90 days'],
    ['tags', 'atlas'],
    ['format', 'detailed'],
  ],
  debugging: [
    ['query', 'TimeoutError in the deploy pipeline'],
    ['limit', '20'],
    ['format', 'detailed'],
  ],
} as const satisfies Record<string, Parameters>;

function get(path: string): ClientRequest {
  return { method: 'GET', path };
}

function byTag(tags: readonly string[], rest: Parameters = []): string {
  return `/memory/by-tag?${queryOf([...tags.map((tag) => ['tags', tag] as const), ...rest])}`;
}

function queryOf(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
}
