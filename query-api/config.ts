/** The typed configuration of the read side, read from `query-variables.ts` and `scoring-variables.ts`. */
import { consolidationConfig } from '../shared/consolidation/consolidation-config.js';
import { KEY_WINDOW_MS } from '../shared/contract/limits.js';
import { type Environment, readVariables, type Values } from '../shared/kernel/config/config.js';
import { viewerConfig } from './graph-views/viewer-variables.js';
import { queryVariables } from './query-variables.js';
import { scoringVariables } from './scoring-variables.js';

const DEFAULT_RECENCY_WINDOW_DAYS = 180;
const RECALL = {
  /** Candidates fetched by keyword; the rarity of a word is measured on them. */
  keywordPool: 100,
  /** How old the identities of entities may be that recalls show. */
  identityRefreshMs: 60_000,
};
const STREAM = {
  /** How long the live stream may be silent before it sends a keep-alive comment. */
  keepAliveMs: 30_000,
  /** How long a client of the live stream may read nothing before its connection is cut. */
  stallMs: 30_000,
  /** Activity frames that wait for a slow client; further frames are dropped, and the client is informed. */
  queueFrames: 100,
};
const KEYS = {
  /** How long the windows are in which the requests of a key with a rate are counted. */
  windowMs: KEY_WINDOW_MS,
};

export type QueryConfig = ReturnType<typeof queryConfig>;

/** Throws one ConfigurationError that lists every problem. */
export function queryConfig(environment: Environment) {
  const values = readVariables([...queryVariables, ...scoringVariables], environment);
  return {
    recall: {
      ...RECALL,
      maxLimit: values.RECALL_MAX_LIMIT,
      relationLimit: values.RECALL_RELATION_LIMIT,
      expansionLimit: values.RECALL_EXPANSION_LIMIT,
      minScore: values.RECALL_MIN_SCORE,
      vectorOverfetch: values.RECALL_VECTOR_OVERFETCH,
      vectorFetchCap: values.RECALL_VECTOR_FETCH_CAP,
      sourceTimeoutMs: values.RECALL_SOURCE_TIMEOUT_MS,
      excludedTypes: values.RECALL_EXCLUDED_TYPES,
      adaptiveFloor: values.RECALL_ADAPTIVE_FLOOR,
      recencyBias: values.RECALL_RECENCY_BIAS,
      recencyWeight: values.SEARCH_WEIGHT_TEMPORAL,
      metadataSearch: values.RECALL_METADATA_SEARCH_ENABLED,
      scoring: scoringOf(values),
    },
    consistentWaitMs: values.RECALL_CONSISTENT_WAIT_MS,
    freshWaitMs: values.RECALL_FRESH_WAIT_MS,
    enrichmentMaxAttempts: values.ENRICHMENT_MAX_ATTEMPTS,
    stream: { ...STREAM, clients: values.STREAM_CLIENTS },
    healthTimeoutMs: values.HEALTH_TIMEOUT_MS,
    jobWaitMs: values.JOB_WAIT_MS,
    consolidation: consolidationConfig(environment),
    viewer: viewerConfig(environment),
    keys: KEYS,
  } as const;
}

export type RecallConfig = QueryConfig['recall'];
export type Scoring = RecallConfig['scoring'];

function scoringOf(values: Values<typeof scoringVariables>) {
  const windowDays = values.SEARCH_RECENCY_WINDOW_DAYS;
  return {
    weights: {
      vector: values.SEARCH_WEIGHT_VECTOR,
      keyword: values.SEARCH_WEIGHT_KEYWORD,
      metadata: values.SEARCH_WEIGHT_METADATA,
      exact: values.SEARCH_WEIGHT_EXACT,
      importance: values.SEARCH_WEIGHT_IMPORTANCE,
      confidence: values.SEARCH_WEIGHT_CONFIDENCE,
      recency: values.SEARCH_WEIGHT_RECENCY,
      tag: values.SEARCH_WEIGHT_TAG,
      relation: values.SEARCH_WEIGHT_RELATION,
      relevance: values.SEARCH_WEIGHT_RELEVANCE,
    },
    recency: {
      curve: values.SEARCH_RECENCY_CURVE,
      windowDays: windowDays > 0 ? windowDays : DEFAULT_RECENCY_WINDOW_DAYS,
    },
    tagWordCap: Math.max(0, values.SEARCH_TAG_SCORE_TOKEN_CAP),
    relevanceGate: values.RECALL_RELEVANCE_GATE,
  } as const;
}
