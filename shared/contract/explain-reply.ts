/** The properties that `explain` adds to the answer of a recall, as JSON Schema. */
import { closed, count, flag, number, text, textList } from './reply-parts.js';

const found = {
  type: 'object',
  required: ['source'],
  // further properties depend on the source
  properties: {
    source: text,
    pass: { type: 'string', enum: ['current', 'lapsed', 'unarchived'] },
    rank: { type: 'integer', minimum: 1 },
    similarity: number,
  },
} as const;

const evidence = {
  type: 'array',
  items: found,
  description: 'One entry per source that found the memory: its rank there, and the raw value if the source has one.',
} as const;

const terms = closed({
  content: textList,
  tags: textList,
  missing: textList,
  phrase: { type: ['string', 'null'], enum: ['content', 'tags', null] },
  words: closed({ tags: textList, metadata: textList }),
});

const found_in = {
  ...closed({ id: text, evidence, type: text, strength: number, share: number }),
  description:
    'The found memory that this one replaces, its evidence, the first association from it to this one, and the share of its match that this one takes over.',
} as const;
const features = {
  ...closed(
    { similarity: number, words: number },
    {
      identifier: number,
      standing: number,
      lexical: number,
      neighbours: number,
      session: number,
      subject: number,
      date: number,
      role: number,
      question: number,
      verbosity: number,
    },
  ),
  description:
    'What the components `vector` and `keyword` are made from: the cosine, the share of the words, and the signals, each from 0 to 1; `standing` is the place of the cosine among those of the candidates, in standard deviations.',
} as const;
const points = {
  type: 'object',
  additionalProperties: number,
  description: 'The points of each component; their sum is the score.',
} as const;
const match = {
  ...closed({
    probability: number,
    known_terms: number,
    candidates: count,
    sessions: flag,
    points: number,
  }),
  description:
    'The estimate behind `match_probability`: the share of the query terms that any candidate contains, whether neighbours in a session add points, and the points that depend on the query.',
} as const;
const further = {
  found_in,
  match,
  search_weight: number,
  gate: closed({ evidence: number, threshold: number }),
} as const;

const explained = closed({ evidence, terms }, { ...further, features, points });
export const explainedResult = closed({ evidence, terms, features, points }, further);

const cut = {
  ...closed(
    {
      at: {
        type: 'string',
        enum: [
          'absent',
          'filter',
          'state',
          'retrieval',
          'min_score',
          'min_probability',
          'duplicate',
          'source',
          'limit',
          'after_selection',
        ],
      },
    },
    {
      rules: {
        type: 'array',
        items: { type: 'string', enum: ['type', 'time_window', 'tags', 'exclude_tags', 'archived'] },
      },
      reason: text,
      successor: text,
      relation_type: text,
      found: { type: 'object', additionalProperties: count },
      of: { ...text, description: 'The id of the memory that represents it; for `duplicate` and `source`.' },
      position: count,
      limit: count,
      score: number,
      probability: number,
      needed: number,
    },
  ),
  type: ['object', 'null'],
  description: 'The stage that removed the memory; null for a result.',
} as const;

export const explainedMemory = closed({
  memory_id: text,
  position: { type: ['integer', 'null'], minimum: 1 },
  cut,
  evidence: { anyOf: [explained, { type: 'null' }] },
});
