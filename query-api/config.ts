/** The typed configuration of the read side, read from `query-variables.ts` and `scoring-variables.ts`. */
import { consolidationConfig } from '../shared/consolidation/consolidation-config.js';
import { type Environment, readVariables, type Values } from '../shared/kernel/config/config.js';
import { viewerConfig } from './graph-views/viewer-variables.js';
import { queryVariables } from './query-variables.js';
import { scoringVariables } from './scoring-variables.js';

const DEFAULT_RECENCY_WINDOW_DAYS = 180;

export type QueryConfig = ReturnType<typeof queryConfig>;

/** Throws one ConfigurationError that lists every problem. */
export function queryConfig(environment: Environment) {
  const values = readVariables([...queryVariables, ...scoringVariables], environment);
  return {
    recall: {
      maxLimit: values.RECALL_MAX_LIMIT,
      relationLimit: values.RECALL_RELATION_LIMIT,
      expansionLimit: values.RECALL_EXPANSION_LIMIT,
      minScore: values.RECALL_MIN_SCORE,
      fitProbability: values.RECALL_FIT_PROBABILITY,
      vectorOverfetch: values.RECALL_VECTOR_OVERFETCH,
      vectorFetchCap: values.RECALL_VECTOR_FETCH_CAP,
      keywordPool: values.RECALL_KEYWORD_POOL,
      lapsedPool: values.RECALL_LAPSED_POOL,
      sourceTimeoutMs: values.RECALL_SOURCE_TIMEOUT_MS,
      excludedTypes: values.RECALL_EXCLUDED_TYPES,
      adaptiveFloor: values.RECALL_ADAPTIVE_FLOOR,
      recencyBias: values.RECALL_RECENCY_BIAS,
      recencyWeight: values.SEARCH_WEIGHT_TEMPORAL,
      secondSearch: values.RECALL_SECOND_SEARCH,
      identityRefreshMs: values.RECALL_IDENTITY_REFRESH_MS,
      metadataSearch: values.RECALL_METADATA_SEARCH_ENABLED,
      scoring: scoringOf(values),
    },
    consistentWaitMs: values.RECALL_CONSISTENT_WAIT_MS,
    freshWaitMs: values.RECALL_FRESH_WAIT_MS,
    enrichmentMaxAttempts: values.ENRICHMENT_MAX_ATTEMPTS,
    stream: {
      keepAliveMs: values.STREAM_KEEPALIVE_MS,
      stallMs: values.STREAM_STALL_MS,
      queueFrames: values.STREAM_QUEUE_FRAMES,
      clients: values.STREAM_CLIENTS,
    },
    feedWaiters: values.FEED_WAITERS,
    healthTimeoutMs: values.HEALTH_TIMEOUT_MS,
    syncWaitMs: values.SYNC_WAIT_MS,
    reembedWaitMs: values.REEMBED_WAIT_MS,
    consolidateWaitMs: values.CONSOLIDATE_WAIT_MS,
    consolidation: consolidationConfig(environment),
    viewer: viewerConfig(environment),
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
      identifier: values.SEARCH_WEIGHT_IDENTIFIER,
      exact: values.SEARCH_WEIGHT_EXACT,
      importance: values.SEARCH_WEIGHT_IMPORTANCE,
      confidence: values.SEARCH_WEIGHT_CONFIDENCE,
      recency: values.SEARCH_WEIGHT_RECENCY,
      tag: values.SEARCH_WEIGHT_TAG,
      relation: values.SEARCH_WEIGHT_RELATION,
      relevance: values.SEARCH_WEIGHT_RELEVANCE,
    },
    signals: {
      lexical: values.SEARCH_WEIGHT_LEXICAL,
      feedback: values.SEARCH_WEIGHT_FEEDBACK,
      neighbours: values.SEARCH_WEIGHT_NEIGHBOURS,
      session: values.SEARCH_WEIGHT_SESSION,
      subject: values.SEARCH_WEIGHT_SUBJECT,
      date: values.SEARCH_WEIGHT_DATE,
      role: values.SEARCH_WEIGHT_ROLE,
      substance: values.SEARCH_WEIGHT_SUBSTANCE,
      verbosity: values.SEARCH_WEIGHT_VERBOSITY,
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
