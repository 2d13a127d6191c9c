/** The variables of the score: the weights that the contract names, and how recency and tags count. */
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
  weight('EXACT', '0.20', 'a metadata value that is the whole query'),
  weight('IMPORTANCE', '0.10', 'importance'),
  weight('CONFIDENCE', '0.05', 'confidence'),
  weight('RECENCY', '0.10', 'recency'),
  weight('TAG', '0.20', 'query words that are tags'),
  weight('RELATION', '0.25', 'the association that led to a memory'),
  weight('TEMPORAL', '0.1', 'being newer than the other results, when the query asks for recency'),
  weight('RELEVANCE', '0.0', 'the relevance that consolidation keeps'),
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
