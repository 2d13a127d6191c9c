/** Rows on what an answer says of itself beside its results: every block, when it is there and when it is not. */
import { aNumber, absent, anyOrder, aText, below } from './pattern.js';
import type { Table } from './row.js';

const HARBOUR = 'tags=harbour&adaptive_floor=no';

export const blocks: Table = {
  subject: 'blocks of the answer',
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
    },
    denial: {
      content: 'Anna: the keeper stays, she says, for another year or two',
      tags: ['keeper'],
      timestamp: '2022-03-01T10:10:00Z',
      importance: 0.1,
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
      fact: 'every answer says what was asked and how it was read',
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
      fact: 'an answer has no block that nobody asked for',
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
      fact: 'query is an empty text where there is none, and the vectors are not asked',
      ask: HARBOUR,
      shows: { query: '', keywords: absent, vector_search: { enabled: true, matched: false } },
    },
    {
      fact: 'count is what is shown, what expansion adds above the limit as well',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand_relations=1`,
      shows: { count: 3 },
    },
    {
      fact: 'queries names all that ran, in place of keywords',
      ask: `${HARBOUR}&queries=red+bridge,ferry`,
      shows: { query: '', queries: ['red bridge', 'ferry'], keywords: absent },
    },
    {
      fact: 'dedup_removed counts what several queries found',
      ask: 'tags=keeper&queries=keeper+retires,keeper+stays',
      shows: { count: 2, dedup_removed: 2 },
    },
    {
      fact: 'time_window shows both bounds',
      ask: `${HARBOUR}&start=2021-05-01&end=2021-05-31`,
      shows: { time_window: { start: '2021-05-01T00:00:00+00:00', end: '2021-05-31T00:00:00+00:00' } },
    },
    {
      fact: 'time_window has null for a bound that is open',
      ask: ['end=2021-05-31', 'before=x&end=20210531'].map((ask) => `${HARBOUR}&${ask}`),
      shows: { time_window: { start: null, end: '2021-05-31T00:00:00+00:00' } },
    },
    {
      fact: 'tags and exclude_tags are shown as they were given',
      ask: `${HARBOUR}&tags=%20Paint&exclude_tags=Ferry,%20ropes`,
      shows: { tags: ['harbour', 'Paint'], exclude_tags: ['Ferry', 'ropes'] },
    },
    {
      fact: 'tag_scope tells how many the vectors had within the tags',
      ask: 'tags=ropes&query=rope',
      shows: { tag_scope: { filtered: true, pool_size_hint: 2, gated_low_evidence: 0 } },
    },
    {
      fact: 'tag_scope has no such number without a query',
      ask: 'tags=ropes',
      shows: { tag_scope: { filtered: true, pool_size_hint: null } },
    },
    {
      fact: 'expansion counts what was followed and added',
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
      fact: 'expansion counts nothing where there are no results',
      ask: 'tags=nowhere&expand=1&expand_entities=1',
      shows: {
        expansion: { seed_count: 0, expanded_count: 0 },
        entity_expansion: { enabled: true, expanded_count: 0, entities_found: [] },
      },
    },
    {
      fact: 'entity_expansion names the entities',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand_entities=1`,
      shows: { entity_expansion: { enabled: true, expanded_count: 1, entities_found: ['bea'] } },
    },
    {
      fact: 'state_filter counts in current mode, and has details on demand',
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
      fact: 'state_filter has counts alone unless it is asked for more',
      ask: 'tags=ferry&query=ferry',
      shows: { state_filter: { suppressed_count: 2, suppressed: absent, replacements: absent } },
    },
    {
      fact: 'state_filter is not there in history',
      ask: 'tags=ferry&state_mode=history&state_debug=1',
      shows: { state_filter: absent },
    },
    {
      fact: 'score_filter counts what the smallest score dropped',
      ask: `${HARBOUR}&tags=ropes&min_score=1`,
      shows: { score_filter: { min_score: 1, adaptive_floor: null, filtered_count: aNumber }, count: 0 },
    },
    {
      fact: 'recency_bias is shown where the order leans to what is new',
      ask: `${HARBOUR}&recency_bias=on`,
      shows: { recency_bias: 'on' },
    },
    {
      fact: 'scope_fallback is shown where the answer was to be filled',
      ask: 'tags=ropes&query=two+ropes&scope_fallback=on&limit=2',
      shows: { scope_fallback: true, count: 2 },
    },
    {
      fact: 'budget names what was left out',
      ask: 'tags=keeper&max_tokens=70',
      shows: { budget: { max_tokens: 70, estimated_tokens: below(71), omitted: ['{claim}'] }, count: 1 },
    },
    {
      fact: 'context_priority says what the caller works on: at most ten tags, in order, and types',
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
      fact: 'context_priority has null for what is not known',
      ask: `${HARBOUR}&context_tags=paint`,
      shows: { context_priority: { language: null, context: null, priority_tags: ['paint'], priority_types: [] } },
    },
    {
      fact: 'degraded names the vectors when they are away, and words still find',
      without: 'vectors',
      ask: 'tags=keeper&query=keeper+retires',
      findsAll: ['claim', 'denial'],
      shows: { degraded: [{ source: 'vectors', reason: aText }], vector_search: { enabled: false, matched: false } },
    },
    {
      fact: 'degraded names the encoder when it is away; the vectors still serve embeddings',
      without: 'embedder',
      ask: 'tags=keeper&query=keeper+retires+soon',
      findsAll: ['claim', 'denial'],
      shows: { degraded: [{ source: 'embedding', reason: aText }], vector_search: { enabled: true, matched: false } },
    },
    {
      fact: 'without the graph there is no answer',
      without: 'graph',
      ask: ['tags=keeper&query=keeper', 'tags=keeper'],
      status: 503,
    },
  ],
};
