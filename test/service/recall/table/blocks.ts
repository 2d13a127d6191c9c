/** Rows on the fields of the reply next to the results: each field, when it is present and when it is absent. */
import { absent, aNumber, anyOrder, aText, below } from './pattern.js';
import type { Table } from './row.js';

const HARBOUR = 'tags=harbour&adaptive_floor=no';

export const blocks: Table = {
  subject: 'recall reply',
  scope: 'harbour',
  memories: {
    bridge: {
      content: 'The harbour bridge was painted red in May',
      tags: ['paint', 'entity:people:bea'],
      timestamp: '2021-05-01T10:00:00Z',
      importance: 0.9,
      type: 'Decision',
      confidence: 0.8,
      metadata: { tool: 'sprayer', note: 'red bridge' },
    },
    gate: {
      content: 'The harbour gate was painted blue, was it not?',
      timestamp: '2021-05-01T10:05:00Z',
      importance: 0.6,
    },
    shop: { content: 'Colours come from Meyer', timestamp: '2021-05-02T10:00:00Z', importance: 0.8 },
    walk: {
      content: 'A walk with the dog',
      tags: ['entity:people:bea'],
      timestamp: '2021-05-03T10:00:00Z',
      importance: 0.2,
    },
    stale: { content: 'The ferry leaves at nine', tags: ['ferry'], timestamp: '2021-06-01T10:00:00Z', importance: 0.7 },
    fresh: { content: 'Departure is at ten', tags: ['ferry'], timestamp: '2021-06-02T10:00:00Z', importance: 0.5 },
    gone: {
      content: 'The ferry was out of order',
      tags: ['ferry'],
      timestamp: '2021-05-20T10:00:00Z',
      t_invalid: '2021-05-21T00:00:00Z',
    },
    ropes: { content: 'Use **two** ropes', tags: ['ropes'], importance: 0.9 },
    again: { content: 'use two ropes!', tags: ['ropes'], importance: 0.4 },
    claim: {
      content: 'Anna: the lighthouse keeper retires in March 2022',
      tags: ['keeper'],
      timestamp: '2022-03-01T10:00:00Z',
      importance: 0.9,
      metadata: { chapter: 4 },
    },
    denial: {
      content: 'Anna: the keeper stays, she says, for another year or two',
      tags: ['keeper'],
      timestamp: '2022-03-01T10:10:00Z',
      importance: 0.1,
      metadata: { chapter: 4 },
    },
  },
  associations: [
    ['bridge', 'RELATES_TO', 'walk', 0.3],
    ['bridge', 'PREFERS_OVER', 'shop', 0.9, { reason: 'cheaper' }],
    ['stale', 'EVOLVED_INTO', 'fresh', 0.8],
    ['claim', 'CONTRADICTS', 'denial', 0.9],
  ],
  rows: [
    {
      fact: 'shows the request as the service understood it',
      ask: `${HARBOUR}&query=%20Red+bridge&limit=1`,
      shows: {
        status: 'success',
        query: 'Red bridge',
        count: 1,
        dedup_removed: 0,
        sort: 'score',
        state_mode: 'current',
        tag_mode: 'any',
        tag_match: 'prefix',
        vector_search: { enabled: true, matched: true },
        query_time_ms: aNumber,
        keywords: ['red', 'bridge'],
      },
    },
    {
      fact: 'has no field that the request does not need',
      ask: 'query=red+bridge&adaptive_floor=no',
      shows: {
        queries: absent,
        time_window: absent,
        tags: absent,
        tag_scope: absent,
        exclude_tags: absent,
        expansion: absent,
        entity_expansion: absent,
        context_priority: absent,
        score_filter: absent,
        recency_bias: absent,
        scope_fallback: absent,
        budget: absent,
        degraded: absent,
        explain: absent,
      },
    },
    {
      fact: 'has an empty query and no vector search without a query',
      ask: HARBOUR,
      shows: { query: '', keywords: absent, vector_search: { enabled: true, matched: false } },
    },
    {
      fact: 'counts all shown results, with expansion above the limit',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand_relations=1`,
      shows: { count: 3 },
    },
    {
      fact: 'lists the executed queries instead of keywords',
      ask: `${HARBOUR}&queries=red+bridge,ferry`,
      shows: { query: '', queries: ['red bridge', 'ferry'], keywords: absent },
    },
    {
      fact: 'counts repeated finds of several queries in dedup_removed',
      ask: 'tags=keeper&queries=keeper+retires,keeper+stays',
      shows: { count: 2, dedup_removed: 2 },
    },
    {
      fact: 'shows both bounds in time_window',
      ask: `${HARBOUR}&start=2021-05-01&end=2021-05-31`,
      shows: { time_window: { start: '2021-05-01T00:00:00+00:00', end: '2021-05-31T00:00:00+00:00' } },
    },
    {
      fact: 'shows null for an open bound in time_window',
      ask: ['end=2021-05-31', 'before=x&end=20210531'].map((ask) => `${HARBOUR}&${ask}`),
      shows: { time_window: { start: null, end: '2021-05-31T00:00:00+00:00' } },
    },
    {
      fact: 'shows tags and exclude_tags as given',
      ask: `${HARBOUR}&tags=%20Paint&exclude_tags=Ferry,%20ropes`,
      shows: { tags: ['harbour', 'Paint'], exclude_tags: ['Ferry', 'ropes'] },
    },
    {
      fact: 'shows the number of vectors within the tags in tag_scope',
      ask: 'tags=ropes&query=rope',
      shows: { tag_scope: { filtered: true, pool_size_hint: 2, gated_low_evidence: 0 } },
    },
    {
      fact: 'has no vector count in tag_scope without a query',
      ask: 'tags=ropes',
      shows: { tag_scope: { filtered: true, pool_size_hint: null } },
    },
    {
      fact: 'counts followed and added memories in expansion',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand=1&relation_limit=3&expansion_limit=4`,
      shows: {
        expansion: {
          enabled: true,
          seed_count: 1,
          expanded_count: 2,
          relation_limit: 3,
          expansion_limit: 4,
          respect_tags: false,
        },
      },
    },
    {
      fact: 'has zero counts in expansion without results',
      ask: 'tags=nowhere&expand=1&expand_entities=1',
      shows: {
        expansion: { seed_count: 0, expanded_count: 0 },
        entity_expansion: { enabled: true, expanded_count: 0, entities_found: [] },
      },
    },
    {
      fact: 'names the entities in entity_expansion',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand_entities=1`,
      shows: { entity_expansion: { enabled: true, expanded_count: 1, entities_found: ['bea'] } },
    },
    {
      fact: 'has counts in state_filter and details with state_debug',
      ask: 'tags=ferry&query=ferry&state_debug=true',
      shows: {
        state_filter: {
          current_only: true,
          suppressed_count: 2,
          replacement_count: 1,
          suppressed: anyOrder(
            { id: '{stale}', reason: 'superseded', replacement_id: '{fresh}', relation_type: 'EVOLVED_INTO' },
            { id: '{gone}', reason: 'expired' },
          ),
          replacements: [{ id: '{fresh}', replaces_id: '{stale}', relation_type: 'EVOLVED_INTO' }],
        },
      },
    },
    {
      fact: 'has only counts in state_filter without state_debug',
      ask: 'tags=ferry&query=ferry',
      shows: { state_filter: { suppressed_count: 2, suppressed: absent, replacements: absent } },
    },
    {
      fact: 'has no state_filter in history mode',
      ask: 'tags=ferry&state_mode=history&state_debug=1',
      shows: { state_filter: absent },
    },
    {
      fact: 'counts results below min_score in score_filter',
      ask: `${HARBOUR}&tags=ropes&min_score=1`,
      shows: { score_filter: { min_score: 1, adaptive_floor: null, filtered_count: aNumber }, count: 0 },
    },
    {
      fact: 'has no nothing_fits in a listing',
      ask: HARBOUR,
      shows: { nothing_fits: absent, results: { 0: { match_probability: absent, explain: absent } } },
    },
    {
      fact: 'shows an active recency_bias',
      ask: `${HARBOUR}&recency_bias=on`,
      shows: { recency_bias: 'on' },
    },
    {
      fact: 'shows scope_fallback when it was requested',
      ask: 'tags=ropes&query=two+ropes&scope_fallback=on&limit=2',
      shows: { scope_fallback: true, count: 2 },
    },
    {
      fact: 'names results beyond the token budget in budget',
      ask: 'tags=keeper&max_tokens=70',
      shows: { budget: { max_tokens: 70, estimated_tokens: below(71), omitted: ['{claim}'] }, count: 1 },
    },
    {
      fact: 'shows up to ten tags in order and the types in context_priority',
      ask: `${HARBOUR}&language=go&context=Review&context_tags=z&context_types=habit`,
      shows: {
        context_priority: {
          language: 'go',
          context: 'review',
          injected: false,
          priority_types: ['Habit', 'Preference', 'Style'],
          priority_tags: [
            'coding-style',
            'go',
            'go-style',
            'go:style',
            'preference:coding',
            'preferences',
            'style',
            'style-guide',
            'z',
          ],
        },
      },
    },
    {
      fact: 'has null for unknown values in context_priority',
      ask: `${HARBOUR}&context_tags=paint`,
      shows: { context_priority: { language: null, context: null, priority_tags: ['paint'], priority_types: [] } },
    },
    {
      fact: 'names an unavailable vector index and still finds by words',
      without: 'vectors',
      ask: 'tags=keeper&query=keeper+retires',
      findsAll: ['claim', 'denial'],
      shows: {
        nothing_fits: absent,
        degraded: [{ source: 'vectors', reason: aText }],
        vector_search: { enabled: false, matched: false },
      },
    },
    {
      fact: 'names an unavailable encoder and still finds by embedding',
      without: 'embedder',
      ask: 'tags=keeper&query=keeper+retires+soon',
      findsAll: ['claim', 'denial'],
      shows: {
        nothing_fits: absent,
        degraded: [{ source: 'embedding', reason: aText }],
        vector_search: { enabled: true, matched: false },
      },
    },
    {
      fact: 'is a 503 without the graph',
      without: 'graph',
      ask: ['tags=keeper&query=keeper', 'tags=keeper'],
      status: 503,
    },
  ],
};
