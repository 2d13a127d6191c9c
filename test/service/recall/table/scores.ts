/**
 * Rows on the score: the value and the weight of each component. Each memory has its own tag, so that it is scored
 * alone.
 */
import { NOW } from './clock.js';
import { absent, aNumber, near } from './pattern.js';
import type { Table } from './row.js';

const axis = (index: number): readonly number[] => Array.from({ length: 384 }, (_, at) => (at === index ? 1 : 0));
/** A vector with a cosine of 0.8 to axis 7. */
const NEARBY = axis(0)
  .map((_, at) => ({ 7: 0.8, 8: 0.6 })[at] ?? 0)
  .join(',');
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const OLD = daysAgo(1_000);
const WORTH = { importance: 0.5, confidence: 0.6 };

export const scores: Table = {
  subject: 'recall score',
  scope: 'scores',
  memories: {
    layer: {
      content: 'Redis cache layer',
      tags: ['g1', 'redis', 'infra:cache'],
      timestamp: daysAgo(0),
      embedding: axis(7),
      ...WORTH,
    },
    titled: {
      content: 'Redis',
      tags: ['g2'],
      metadata: { title: 'Redis cache' },
      timestamp: daysAgo(0),
      embedding: axis(9),
      ...WORTH,
    },
    hyphen: {
      content: 'hub-developer notes',
      tags: ['g3'],
      timestamp: OLD,
      embedding: axis(7),
      importance: 0,
      confidence: 0,
    },
    half: { content: 'Half as old', tags: ['age1'], timestamp: daysAgo(90) },
    aged: { content: 'Too old', tags: ['age2'], timestamp: daysAgo(180) },
    future: { content: 'Not yet', tags: ['age3'], timestamp: daysAgo(-30), t_valid: OLD },
    deep: {
      content: 'Deep',
      tags: ['deep'],
      timestamp: OLD,
      metadata: { a: [{ b: 'Walrus Bay' }], entities: { tools: ['hammer'] }, long: `${'x '.repeat(128)}seal` },
    },
    ticket: { content: 'The walrus is in PAY-4123', tags: ['ticket'], timestamp: OLD },
    cosine: { content: 'Opposite', tags: ['minus'], timestamp: OLD, embedding: axis(7).map((value) => -value) },
  },
  rows: [
    {
      fact: 'is 0.91 for vector 0.8, all words, half of the tags, and new',
      ask: `tags=g1&query=redis+cache&embedding=${NEARBY}`,
      shows: {
        results: [
          {
            final_score: near(0.91),
            score_components: { vector: near(0.8), keyword: 1, tag: 0.5, importance: 0.5, confidence: 0.6, recency: 1 },
          },
        ],
      },
    },
    {
      fact: 'counts a metadata value equal to the query as exact and tag',
      ask: `tags=g2&query=redis+cache&embedding=${NEARBY}`,
      shows: {
        results: [
          {
            final_score: near(0.58 + 0.35 / 3),
            score_components: { vector: 0, keyword: near(1 / 3), tag: 1, exact: 1, evidence: 1 },
          },
        ],
      },
    },
    {
      fact: 'matches words with hyphens',
      ask: `tags=g3&query=hub-developer+notes&embedding=${NEARBY}`,
      shows: {
        results: [
          {
            final_score: near(0.35 * 0.8 + 0.35),
            score_components: { keyword: 1, importance: 0, confidence: 0, recency: 0 },
          },
        ],
      },
    },
    {
      fact: 'has a recency that falls to 0 in 180 days',
      ask: 'tags=age1',
      shows: { results: [{ score_components: { recency: near(0.5) } }] },
    },
    {
      fact: 'has a recency of 0 after 180 days',
      ask: 'tags=age2',
      shows: { results: [{ score_components: { recency: 0 } }] },
    },
    {
      fact: 'has a recency of 1 for a future timestamp',
      ask: 'tags=age3',
      shows: { results: [{ score_components: { recency: 1 } }] },
    },
    {
      fact: 'uses importance in place of keywords without a query',
      ask: 'tags=g1',
      shows: {
        results: [
          { final_score: near(0.35 * 0.5 + 0.05 + 0.03 + 0.1), score_components: { keyword: 0.5, vector: 0, tag: 0 } },
        ],
      },
    },
    {
      fact: 'has as tag the share of words in tags or nested metadata',
      ask: 'tags=deep&query=walrus+bay+whale+deep',
      shows: { results: [{ score_components: { tag: 0.75, exact: 0 } }] },
    },
    {
      fact: 'ignores extracted and long texts in the metadata',
      ask: 'tags=deep&query=hammer+seal',
      shows: { results: [{ score_components: { tag: 0, metadata: 0 } }] },
    },
    {
      fact: 'compares exact without case and outer blanks',
      ask: 'tags=deep&query=%20WALRUS+bay+',
      shows: { results: [{ score_components: { exact: 1 } }] },
    },
    {
      fact: 'has identifier 1 if the content has the queried identifier',
      ask: 'tags=ticket&query=what+did+we+say+of+PAY-4123&explain=true',
      shows: { results: [{ explain: { features: { identifier: 1 } } }] },
    },
    {
      fact: 'has no identifier without one in the query',
      ask: 'tags=ticket&query=what+did+we+say+of+walruses&explain=true',
      shows: { results: [{ explain: { features: { identifier: absent } } }] },
    },
    {
      fact: 'counts a vector in the opposite direction as 0',
      ask: `tags=minus&embedding=${axis(7).join(',')}`,
      shows: { results: [{ score_components: { vector: 0 }, final_score: aNumber }] },
    },
    {
      fact: 'has as evidence the strongest direct match, without a weight',
      ask: `tags=g3&query=notes+walrus&embedding=${NEARBY}`,
      shows: { results: [{ final_score: near(0.28 + 0.35 / 3), score_components: { evidence: near(0.8) } }] },
    },
  ],
};
