/** The properties that `explain` adds to the answer of a recall, as JSON Schema. */
import { count, flag, number, text, textList } from './reply-parts.js';

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

const terms = {
  type: 'object',
  additionalProperties: false,
  required: ['content', 'tags', 'missing', 'phrase', 'words'],
  properties: {
    content: textList,
    tags: textList,
    missing: textList,
    phrase: { type: ['string', 'null'], enum: ['content', 'tags', null] },
    words: {
      type: 'object',
      additionalProperties: false,
      required: ['tags', 'metadata'],
      properties: { tags: textList, metadata: textList },
    },
  },
} as const;

const explained = {
  type: 'object',
  additionalProperties: false,
  required: ['evidence', 'terms'],
  properties: {
    evidence,
    terms,
    found_in: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'evidence', 'type', 'strength', 'share'],
      description:
        'The found memory that this one replaces, its evidence, the first association from it to this one, and the share of its match that this one takes over.',
      properties: { id: text, evidence, type: text, strength: number, share: number },
    },
    points: {
      type: 'object',
      additionalProperties: number,
      description: 'The points of each component; their sum is the score.',
    },
    match: {
      type: 'object',
      additionalProperties: false,
      required: ['probability', 'known_terms', 'candidates', 'sessions', 'points'],
      properties: { probability: number, known_terms: number, candidates: count, sessions: flag, points: number },
      description:
        'The estimate behind `match_probability`: the share of the query terms that any candidate contains, whether neighbours in a session add points, and the points that depend on the query.',
    },
    gate: {
      type: 'object',
      additionalProperties: false,
      required: ['evidence', 'threshold'],
      properties: { evidence: number, threshold: number },
    },
  },
} as const;

export const explainedResult = { ...explained, required: [...explained.required, 'points'] } as const;

const cut = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['at'],
  description: 'The stage that removed the memory; null for a result.',
  properties: {
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
} as const;

export const explainedMemory = {
  type: 'object',
  additionalProperties: false,
  required: ['memory_id', 'position', 'cut', 'evidence'],
  properties: {
    memory_id: text,
    position: { type: ['integer', 'null'], minimum: 1 },
    cut,
    evidence: { anyOf: [explained, { type: 'null' }] },
  },
} as const;
