/** Rows on the score: what each component measures and what it weighs. Each memory has a tag of its own, so that it is scored alone. */
import { NOW } from './clock.js';
import { absent, aNumber, near } from './pattern.js';
import type { Table } from './row.js';

const axis = (index: number): readonly number[] => Array.from({ length: 512 }, (_, at) => (at === index ? 1 : 0));
/** 0.8 of the way to axis 7. */
const NEARBY = axis(0)
  .map((_, at) => ({ 7: 0.8, 8: 0.6 })[at] ?? 0)
  .join(',');
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const OLD = daysAgo(1_000);
const WORTH = { importance: 0.5, confidence: 0.6 };

export const scores: Table = {
  subject: 'scores',
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
      fact: 'a vector of 0.8, all words, half of the tags and a new memory make 0.91',
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
      fact: 'a value of the metadata that is the whole query is exact, and its words are tags',
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
      fact: 'words with hyphens match as all others',
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
      fact: 'recency falls to nothing in 180 days',
      ask: 'tags=age1',
      shows: { results: [{ score_components: { recency: near(0.5) } }] },
    },
    { fact: 'recency is 0 beyond', ask: 'tags=age2', shows: { results: [{ score_components: { recency: 0 } }] } },
    {
      fact: 'recency is 1 for what lies ahead',
      ask: 'tags=age3',
      shows: { results: [{ score_components: { recency: 1 } }] },
    },
    {
      fact: 'without a query the importance takes the place of the words',
      ask: 'tags=g1',
      shows: {
        results: [
          { final_score: near(0.35 * 0.5 + 0.05 + 0.03 + 0.1), score_components: { keyword: 0.5, vector: 0, tag: 0 } },
        ],
      },
    },
    {
      fact: 'tag is the share of the words that are a tag or in the metadata, however deep',
      ask: 'tags=deep&query=walrus+bay+whale+deep',
      shows: { results: [{ score_components: { tag: 0.75, exact: 0 } }] },
    },
    {
      fact: 'what was extracted, and long texts, are no words of the metadata',
      ask: 'tags=deep&query=hammer+seal',
      shows: { results: [{ score_components: { tag: 0, metadata: 0 } }] },
    },
    {
      fact: 'exact takes the query in any case, blanks around it apart',
      ask: 'tags=deep&query=%20WALRUS+bay+',
      shows: { results: [{ score_components: { exact: 1 } }] },
    },
    {
      fact: 'identifier is 1 where the content holds the one that is asked for',
      ask: 'tags=ticket&query=what+did+we+say+of+PAY-4123',
      shows: { results: [{ score_components: { identifier: 1 } }] },
    },
    {
      fact: 'identifier is not there where none is asked for',
      ask: 'tags=ticket&query=what+did+we+say+of+walruses',
      shows: { results: [{ score_components: { identifier: absent } }] },
    },
    {
      fact: 'a vector that points away counts nothing',
      ask: `tags=minus&embedding=${axis(7).join(',')}`,
      shows: { results: [{ score_components: { vector: 0 }, final_score: aNumber }] },
    },
    {
      fact: 'evidence is the strongest direct match, and weighs nothing itself',
      ask: `tags=g3&query=notes+walrus&embedding=${NEARBY}`,
      shows: { results: [{ final_score: near(0.28 + 0.35 / 3), score_components: { evidence: near(0.8) } }] },
    },
  ],
};
