/** Rows on the variables of the service: limits, switches and weights, all different from their defaults. */
import { NOW } from './clock.js';
import { absent, aNumber, counting, near } from './pattern.js';
import type { Stored, Table } from './row.js';

const axis = (index: number): readonly number[] => Array.from({ length: 384 }, (_, at) => (at === index ? 1 : 0));
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const crowd = (number: number): Stored => ({
  content: `Somebody ${number} of the crowd`,
  tags: ['crowd'],
  importance: 0.5 + number / 100,
  timestamp: daysAgo(2_000),
});
const QUERY = 'tags=one&query=redis+of+old&embedding=';

export const configured: Table = {
  subject: 'recall',
  scope: 'configured',
  variables: {
    RECALL_MAX_LIMIT: '6',
    RECALL_RELATION_LIMIT: '2',
    RECALL_EXPANSION_LIMIT: '3',
    RECALL_VECTOR_OVERFETCH: '2',
    RECALL_VECTOR_FETCH_CAP: '7',
    RECALL_EXCLUDED_TYPES: 'MetaPattern,Style',
    RECALL_RELEVANCE_GATE: '0.9',
    RECALL_ADAPTIVE_FLOOR: 'false',
    RECALL_RECENCY_BIAS: 'auto',
    RECALL_METADATA_SEARCH_ENABLED: 'false',
    RECALL_MIN_SCORE: '0.01',
    SEARCH_RECENCY_CURVE: 'exp',
    SEARCH_RECENCY_WINDOW_DAYS: '10',
    SEARCH_TAG_SCORE_TOKEN_CAP: '2',
    SEARCH_WEIGHT_IMPORTANCE: '0',
    SEARCH_WEIGHT_TEMPORAL: '0.5',
  },
  memories: {
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((number) => [`crowd${number}`, crowd(number)])),
    gated: {
      content: 'Redis cache',
      tags: ['one', 'redis', 'cache'],
      timestamp: daysAgo(10),
      importance: 0.5,
      confidence: 0.6,
      embedding: axis(3),
      metadata: { tool: 'zeppelin' },
    },
    silk: { content: 'Silk in a style of its own', tags: ['silk'], type: 'Style', importance: 1 },
    plain: { content: 'Silk is plain', tags: ['silk'], importance: 0.5 },
    large: {
      content: 'Lamps',
      tags: ['tie'],
      importance: 0.9,
      confidence: 0,
      timestamp: daysAgo(20_000),
      embedding: axis(4),
    },
    small: {
      content: 'Lamps of',
      tags: ['tie'],
      importance: 0.1,
      confidence: 0,
      timestamp: daysAgo(19_000),
      embedding: axis(4),
    },
    hub: { content: 'The hub', tags: ['hub'] },
    spoke1: { content: 'First spoke', tags: ['spoke'] },
    spoke2: { content: 'Second spoke', tags: ['spoke'] },
    spoke3: { content: 'Third spoke', tags: ['spoke'] },
  },
  associations: [
    ['hub', 'RELATES_TO', 'spoke1', 1],
    ['hub', 'RELATES_TO', 'spoke2', 1],
    ['hub', 'RELATES_TO', 'spoke3', 1],
    ['hub', 'RELATES_TO', 'silk', 1],
    ['hub', 'RELATES_TO', 'plain', 1],
  ],
  rows: [
    {
      fact: 'caps the limit at RECALL_MAX_LIMIT',
      ask: ['limit=1000', 'limit=99999999999999999999', 'limit=6&per_query_limit=1000'].map(
        (limit) => `tags=crowd&${limit}`,
      ),
      shows: { count: 6 },
    },
    {
      fact: 'fetches as many vector candidates as RECALL_VECTOR_FETCH_CAP allows',
      ask: 'tags=crowd&query=somebody&limit=2',
      shows: { tag_scope: { pool_size_hint: 7 } },
    },
    {
      fact: 'shows the configured number of relations',
      ask: 'tags=hub',
      shows: { results: [{ relations: counting(2) }] },
    },
    {
      fact: 'uses the configured expansion limits',
      ask: 'tags=hub&expand=1',
      shows: { expansion: { relation_limit: 2, expansion_limit: 3 } },
    },
    {
      fact: 'never shows an excluded type',
      ask: [
        'tags=silk',
        'tags=silk&query=silk+in+a+style',
        'tags=silk&state_mode=history',
        'tags=silk&priority_ids={silk}',
      ],
      finds: ['plain'],
    },
    {
      fact: 'neither follows nor adds an excluded type',
      ask: 'tags=hub&expand=1&relation_limit=2',
      findsAll: ['hub', 'plain', 'spoke3'],
    },
    {
      fact: 'reduces the priors in proportion to weak evidence',
      ask: `${QUERY}${axis(3)
        .map((value, at) => (at === 5 ? Math.sqrt(1 - 0.36) : 0.6 * value))
        .join(',')}&explain=1`,
      shows: {
        results: [
          {
            score_components: {
              relevance_gated: true,
              evidence: near(0.6),
              importance: near((0.5 * 0.6) / 0.9),
              confidence: near((0.6 * 0.6) / 0.9),
              recency: near((0.5 * 0.6) / 0.9),
              tag: near((0.5 * 0.6) / 0.9),
            },
            explain: { gate: { evidence: near(0.6), threshold: 0.9 } },
          },
        ],
        tag_scope: { gated_low_evidence: 1 },
      },
    },
    {
      fact: 'does not reduce the priors of strong evidence',
      ask: 'tags=one&query=redis+cache',
      shows: {
        results: [{ score_components: { relevance_gated: false, importance: 0.5 }, explain: absent }],
        tag_scope: { gated_low_evidence: 0 },
      },
    },
    {
      fact: 'does not reduce the priors in a listing',
      ask: 'tags=one',
      shows: { results: [{ score_components: { relevance_gated: false } }] },
    },
    {
      fact: 'halves recency with each window on the exp curve',
      ask: 'tags=one',
      shows: { results: [{ score_components: { recency: near(0.5) } }] },
    },
    {
      fact: 'does not count words beyond the cap in the tag share',
      ask: `tags=one&query=redis+cache+walrus+seal+whale&embedding=${axis(3).join(',')}`,
      shows: { results: [{ score_components: { tag: 1 } }] },
    },
    {
      fact: 'ignores a component of weight 0, orders ties by importance',
      ask: `tags=tie&query=lamps&embedding=${axis(4).join(',')}&limit=2`,
      finds: ['large', 'small'],
      shows: { results: { 0: { score_components: { importance: 0.9 } } } },
    },
    {
      fact: 'adds no memories by metadata when that is off',
      ask: 'tags=one&query=redis+tool+zeppelin',
      shows: { results: [{ score_components: { metadata: 0 } }] },
    },
    {
      fact: 'uses the adaptive floor only on request',
      ask: 'tags=crowd&query=somebody+1&limit=6',
      shows: { score_filter: { min_score: 0.01, adaptive_floor: null, filtered_count: aNumber } },
    },
    {
      fact: 'prefers min_score over the configured minimum',
      ask: 'tags=crowd&min_score=0',
      shows: { score_filter: absent },
    },
    {
      fact: 'uses recency_bias=auto as the configured default',
      ask: 'tags=crowd&query=latest+crowd',
      shows: { recency_bias: 'on' },
    },
    {
      fact: 'has no recency bias when the request turns it off',
      ask: 'tags=crowd&query=latest+crowd&recency_bias=off',
      shows: { recency_bias: absent },
    },
  ],
};
