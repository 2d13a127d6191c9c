/** The variables of the score: its weights, and how recency and tags count. */
import type { Variable } from '../shared/kernel/config/config.js';

const weight = <const N extends string>(name: N, standard: string, of: string) =>
  ({
    name: `SEARCH_WEIGHT_${name}`,
    kind: 'number',
    minimum: 0,
    default: standard,
    description: `Weight of ${of} in the score.`,
  }) as const;

export const scoringVariables = [
  weight('VECTOR', '0.35', 'vector similarity'),
  weight('KEYWORD', '0.35', 'the keyword match'),
  weight('METADATA', '0.35', 'a metadata match'),
  weight('IDENTIFIER', '1.50', 'an identifier of the query that a memory contains as a whole'),
  weight('EXACT', '0.20', 'a metadata value that is the whole query'),
  weight('IMPORTANCE', '0.10', 'importance'),
  weight('CONFIDENCE', '0.05', 'confidence'),
  weight('RECENCY', '0.10', 'recency'),
  weight('TAG', '0.20', 'query words that are tags'),
  weight('RELATION', '0.25', 'the association that led to a memory'),
  weight('TEMPORAL', '0.1', 'being newer than the other results, when the query asks for recency'),
  weight('RELEVANCE', '0.0', 'the relevance that consolidation keeps'),
  weight('LEXICAL', '0.55', 'BM25 relative to the best candidate'),
  weight('FEEDBACK', '0.20', 'the rare words that a memory shares with the best candidates'),
  weight('NEIGHBOURS', '0.70', 'the match of the memory just before or after in the same session'),
  weight('SESSION', '0.56', 'the match of the whole session'),
  weight('SUBJECT', '0.52', 'being said by the one person in the query'),
  weight('DATE', '0.73', 'being from the month or year in the query'),
  weight('ROLE', '0.40', 'being said by the user in a chat with an assistant'),
  weight('SUBSTANCE', '0.04', 'the length of a memory up to 300 characters'),
  weight('VERBOSITY', '0.30', 'the length of a memory beyond 300 characters, which is subtracted,'),
  weight('QUESTION', '0.34', 'being a question, which is subtracted,'),
  {
    name: 'SEARCH_RECENCY_WINDOW_DAYS',
    kind: 'number',
    default: '180',
    unit: 'days',
    description: 'Age at which recency ends (`linear`) or is halved (`exp`); 0 or less counts as 180.',
  },
  {
    name: 'SEARCH_RECENCY_CURVE',
    kind: 'choice',
    choices: ['linear', 'exp'],
    default: 'linear',
    description: 'How recency falls with age.',
  },
  {
    name: 'SEARCH_TAG_SCORE_TOKEN_CAP',
    kind: 'integer',
    default: '0',
    description: 'Query words beyond this many do not dilute the tag score; 0 or less is off.',
  },
  {
    name: 'RECALL_RELEVANCE_GATE',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    default: '0',
    description: 'Evidence below which the other components fade; 0 is off.',
  },
] as const satisfies readonly Variable[];
