/** Every variable that the read side takes, and the typed configuration made of them. */
import { readVariables, type Environment, type Values, type Variable } from '../shared/kernel/config.js';

const weight = <const N extends string>(name: N, standard: string, of: string) =>
  ({
    name: `SEARCH_WEIGHT_${name}`,
    kind: 'number',
    minimum: 0,
    default: standard,
    description: `Weight of ${of} in the score.`,
  }) as const;

/**
 * The largest values keep one recall within the 1,000 memories that are hydrated in one round trip: 400 by vector, 400 by keyword,
 * twice 50 lapsed ones, the 50 that a caller may name and 20 by metadata.
 */
export const queryVariables = [
  {
    name: 'RECALL_MAX_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 400,
    default: '100',
    description: 'Largest `limit` of a recall.',
  },
  {
    name: 'RECALL_RELATION_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 200,
    default: '5',
    description: 'Relations shown with each result.',
  },
  {
    name: 'RECALL_EXPANSION_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 500,
    default: '25',
    description: 'Memories that the expansion of a recall adds in all.',
  },
  {
    name: 'RECALL_MIN_SCORE',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    default: '0',
    description: 'Smallest score of a result; 0 drops nothing.',
  },
  {
    name: 'RECALL_VECTOR_OVERFETCH',
    kind: 'integer',
    minimum: 1,
    default: '4',
    description: 'Candidates fetched by vector for each result asked for.',
  },
  {
    name: 'RECALL_VECTOR_FETCH_CAP',
    kind: 'integer',
    minimum: 1,
    maximum: 400,
    default: '200',
    description: 'Most candidates fetched by vector.',
  },
  {
    name: 'RECALL_KEYWORD_POOL',
    kind: 'integer',
    minimum: 1,
    maximum: 400,
    default: '100',
    description: 'Candidates fetched by keyword; word rarity is judged on them.',
  },
  {
    name: 'RECALL_LAPSED_POOL',
    kind: 'integer',
    minimum: 0,
    maximum: 50,
    default: '20',
    description: 'Expired and archived candidates looked at for a successor.',
  },
  {
    name: 'RECALL_SOURCE_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1,
    default: '3000',
    unit: 'ms',
    description: 'How long a recall waits for one of its sources.',
  },
  {
    name: 'RECALL_CONSISTENT_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 25_000,
    default: '5000',
    unit: 'ms',
    description: 'How long a read waits for the position that it is to be consistent with.',
  },
  {
    name: 'RECALL_EXCLUDED_TYPES',
    kind: 'list',
    default: 'MetaPattern',
    description: 'Memory types that recall never shows, separated by commas.',
  },
  {
    name: 'RECALL_RELEVANCE_GATE',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    default: '0',
    description: 'Evidence below which the other components fade; 0 is off.',
  },
  {
    name: 'RECALL_ADAPTIVE_FLOOR',
    kind: 'flag',
    default: 'true',
    description: 'Whether recall drops what is far below the best results unless `adaptive_floor` says.',
  },
  {
    name: 'RECALL_RECENCY_BIAS',
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'off',
    description:
      'Whether newer results rank higher unless `recency_bias` says; `auto` for queries that ask for what is latest.',
  },
  {
    name: 'RECALL_METADATA_SEARCH_ENABLED',
    kind: 'flag',
    default: 'true',
    description: 'Whether strong matches in metadata (source, repo, project, tool and their like) bring memories in.',
  },
  weight('VECTOR', '0.35', 'vector similarity'),
  weight('KEYWORD', '0.35', 'the keyword match'),
  weight('METADATA', '0.35', 'a metadata match'),
  weight('IDENTIFIER', '0.35', 'an identifier of the query that a memory holds whole'),
  weight('EXACT', '0.20', 'a metadata value that is the whole query'),
  weight('IMPORTANCE', '0.10', 'importance'),
  weight('CONFIDENCE', '0.05', 'confidence'),
  weight('RECENCY', '0.10', 'recency'),
  weight('TAG', '0.20', 'query words that are tags'),
  weight('RELATION', '0.25', 'the association that led to a memory'),
  weight('TEMPORAL', '0.1', 'being newer than the other results, where recency is asked for'),
  weight('RELEVANCE', '0.0', 'the relevance that consolidation keeps'),
  weight('NEIGHBOURS', '0.35', 'the match of the memory just before or after in the same session'),
  weight('SESSION', '0.15', 'the match of the whole session'),
  weight('SUBJECT', '0.10', 'being said by the one person who is named'),
  weight('DATE', '0.15', 'being from the month or year that is named'),
  weight('SUBSTANCE', '0.10', 'how much a memory says, by its length'),
  weight('QUESTION', '0.10', 'being a question, which is subtracted'),
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
    name: 'ENRICHMENT_MAX_ATTEMPTS',
    kind: 'integer',
    minimum: 1,
    default: '3',
    description: 'Attempts before a memory counts as failed.',
  },
  {
    name: 'STREAM_KEEPALIVE_MS',
    kind: 'integer',
    minimum: 10,
    maximum: 600_000,
    default: '30000',
    unit: 'ms',
    description: 'Silence on the live stream after which a comment says that it lives.',
  },
  {
    name: 'STREAM_STALL_MS',
    kind: 'integer',
    minimum: 10,
    default: '30000',
    unit: 'ms',
    description: 'How long a client of the live stream may take nothing before it is cut off.',
  },
  {
    name: 'STREAM_QUEUE_FRAMES',
    kind: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: '100',
    description:
      'Frames of activity that wait for a slow client of the live stream; what is beyond it is dropped, and the client told.',
  },
  {
    name: 'STREAM_CLIENTS',
    kind: 'integer',
    minimum: 0,
    maximum: 400,
    default: '100',
    description: 'Clients of the live stream at one process; further ones get 503.',
  },
  {
    name: 'HEALTH_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1,
    default: '2000',
    unit: 'ms',
    description: 'How long /health waits for each thing it asks.',
  },
] as const satisfies readonly Variable[];

const DEFAULT_RECENCY_WINDOW_DAYS = 180;

export type QueryConfig = ReturnType<typeof queryConfig>;

/** Throws ConfigurationError with every problem at once. */
export function queryConfig(environment: Environment) {
  const values = readVariables(queryVariables, environment);
  return {
    recall: {
      maxLimit: values.RECALL_MAX_LIMIT,
      relationLimit: values.RECALL_RELATION_LIMIT,
      expansionLimit: values.RECALL_EXPANSION_LIMIT,
      minScore: values.RECALL_MIN_SCORE,
      vectorOverfetch: values.RECALL_VECTOR_OVERFETCH,
      vectorFetchCap: values.RECALL_VECTOR_FETCH_CAP,
      keywordPool: values.RECALL_KEYWORD_POOL,
      lapsedPool: values.RECALL_LAPSED_POOL,
      sourceTimeoutMs: values.RECALL_SOURCE_TIMEOUT_MS,
      excludedTypes: values.RECALL_EXCLUDED_TYPES,
      adaptiveFloor: values.RECALL_ADAPTIVE_FLOOR,
      recencyBias: values.RECALL_RECENCY_BIAS,
      recencyWeight: values.SEARCH_WEIGHT_TEMPORAL,
      metadataSearch: values.RECALL_METADATA_SEARCH_ENABLED,
      scoring: scoringOf(values),
    },
    consistentWaitMs: values.RECALL_CONSISTENT_WAIT_MS,
    enrichmentMaxAttempts: values.ENRICHMENT_MAX_ATTEMPTS,
    stream: {
      keepAliveMs: values.STREAM_KEEPALIVE_MS,
      stallMs: values.STREAM_STALL_MS,
      queueFrames: values.STREAM_QUEUE_FRAMES,
      clients: values.STREAM_CLIENTS,
    },
    healthTimeoutMs: values.HEALTH_TIMEOUT_MS,
  } as const;
}

export type RecallConfig = QueryConfig['recall'];
export type Scoring = RecallConfig['scoring'];

function scoringOf(values: Values<typeof queryVariables>) {
  const windowDays = values.SEARCH_RECENCY_WINDOW_DAYS;
  return {
    weights: {
      vector: values.SEARCH_WEIGHT_VECTOR,
      keyword: values.SEARCH_WEIGHT_KEYWORD,
      metadata: values.SEARCH_WEIGHT_METADATA,
      identifier: values.SEARCH_WEIGHT_IDENTIFIER,
      exact: values.SEARCH_WEIGHT_EXACT,
      importance: values.SEARCH_WEIGHT_IMPORTANCE,
      confidence: values.SEARCH_WEIGHT_CONFIDENCE,
      recency: values.SEARCH_WEIGHT_RECENCY,
      tag: values.SEARCH_WEIGHT_TAG,
      relation: values.SEARCH_WEIGHT_RELATION,
      relevance: values.SEARCH_WEIGHT_RELEVANCE,
    },
    surroundings: {
      neighbours: values.SEARCH_WEIGHT_NEIGHBOURS,
      session: values.SEARCH_WEIGHT_SESSION,
      subject: values.SEARCH_WEIGHT_SUBJECT,
      date: values.SEARCH_WEIGHT_DATE,
      substance: values.SEARCH_WEIGHT_SUBSTANCE,
      question: values.SEARCH_WEIGHT_QUESTION,
    },
    recency: {
      curve: values.SEARCH_RECENCY_CURVE,
      windowDays: windowDays > 0 ? windowDays : DEFAULT_RECENCY_WINDOW_DAYS,
    },
    tagWordCap: Math.max(0, values.SEARCH_TAG_SCORE_TOKEN_CAP),
    relevanceGate: values.RECALL_RELEVANCE_GATE,
  } as const;
}
