/** Turns the parameters of a recall into its plan, pure: validates them, clamps them and applies defaults. */
import type { MemoryFilter, TagFilter } from '../../../shared/contract/filter.js';
import type { Timestamp } from '../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import { formatTimestamp } from '../../../shared/kernel/clock.js';
import { type Help, ValidationError } from '../../../shared/kernel/errors.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';
import { parseFlag } from '../../../shared/kernel/validation/flag-text.js';
import type { RecallConfig } from '../../config.js';
import { contextProfile } from './context-profile.js';
import { planExpansion } from './plan-expansion.js';
import { asksForHistory, asksForLatest } from './query-intent.js';
import { queryText } from './query-text.js';
import type { ExplainRequest, Pass, RecallPlan } from './recall-plan.js';
import { readTimeWindow, type TimeWindow } from './time-window.js';

const DEFAULT_LIMIT = 5;
const METADATA_SLOTS = 10;
const SOURCE_FIELD = 'source_id';

export type PlanContext = {
  readonly config: RecallConfig;
  readonly dimension: number;
  readonly now: Date;
  /** The tag of the caller's key. Null or absent: the caller sees all memories. */
  readonly within?: string | null;
};

/**
 * Throws ValidationError for what the contract rejects. The edge already applied the contract's defaults; other values
 * are clamped here.
 */
export function planRecall(request: RecallQuery, { config, dimension, now, within = null }: PlanContext): RecallPlan {
  const embedding = embeddingOf(request, dimension);
  const query = queryText(request.query ?? '');
  const limit = limitOf(request, config);
  const perQueryLimit = Math.min(Math.max(1, request.per_query_limit ?? limit), config.maxLimit);
  const stateMode = stateModeOf(request);
  const timeWindow = timeWindowOf(request, now);
  const profile = contextProfile(request, query.text);
  const filter: MemoryFilter = {
    tags: tagFilterOf(request),
    within,
    excludeTags: request.exclude_tags ?? [],
    start: timeWindow?.start ?? null,
    end: timeWindow?.end ?? null,
    excludedTypes: config.excludedTypes,
    state: stateMode === 'current' ? 'current' : 'unarchived',
    now: formatTimestamp(now),
  };
  const isSearch = query.text !== null || embedding !== null || (request.queries ?? []).length > 0;
  const queries = request.queries?.length ? request.queries : [query.query];
  const isBiased = isRecencyBiased(request.recency_bias ?? config.recencyBias, queries);
  const sort = request.sort ?? (timeWindow && !isSearch ? 'time_desc' : 'score');
  return {
    ...query,
    embedding,
    limit,
    perQueryLimit,
    sort,
    filter,
    passes: passesOf({
      filter,
      limit: perQueryLimit,
      config,
    }),
    stateMode,
    stateDebug: request.state_debug ?? false,
    isCompact: request.detail === 'compact',
    timeWindow,
    profile,
    metadataSlots: config.metadataSearch ? Math.min(limit, METADATA_SLOTS) : 0,
    minScore: Math.min(Math.max(0, request.min_score ?? config.minScore), 1),
    minProbability: Math.min(Math.max(0, request.min_probability ?? 0), 1),
    distinctBy:
      sort === 'score' && stateMode === 'current' && !isListing(request, query.text) && request.distinct_by !== 'none'
        ? sourceFieldOf(request)
        : null,
    sourceField: sourceFieldOf(request),
    expansion: planExpansion(request, config),
    adaptiveFloor: isSearch && (request.adaptive_floor ?? config.adaptiveFloor),
    recencyWeight: isBiased ? config.recencyWeight : null,
    coversDays: sort === 'score' && !isBiased && queries.some(asksForHistory),
    ranksByCloseness:
      sort === 'score' &&
      !isBiased &&
      profile === null &&
      embedding !== null &&
      query.text === null &&
      !request.queries?.length,
    scopeFallback: (request.scope_fallback ?? false) && filter.tags !== null && isSearch,
    maxTokens: request.max_tokens ?? null,
    explain: explainRequestOf(request.explain),
    now,
  };
}

/** A wrong length is rejected here, before any search, even when the vector index is down. */
function embeddingOf({ embedding }: RecallQuery, dimension: number): Float32Array | null {
  if (embedding === undefined) return null;
  if (embedding.length !== dimension)
    throw new ValidationError(`Embedding must contain exactly ${dimension} values`, 'embedding');
  return embedding;
}

/** The older parameter `current_only` takes precedence over `state_mode`. */
function stateModeOf({ current_only, state_mode }: RecallQuery): 'current' | 'history' {
  if (current_only !== undefined) return current_only ? 'current' : 'history';
  return state_mode ?? 'current';
}

function tagFilterOf({ tags = [], tag_mode, tag_match }: RecallQuery): TagFilter | null {
  return tags.length === 0 ? null : { values: tags, mode: tag_mode ?? 'any', match: tag_match ?? 'prefix' };
}

function timeWindowOf({ time_query, start, end }: RecallQuery, now: Date): TimeWindow | null {
  const phrase = time_query ? readTimeWindow(time_query, now) : null;
  if (time_query && !phrase) {
    throw new ValidationError(
      `time_query ${JSON.stringify(shorten(time_query))} cannot be read: write a phrase such as 'last 7 days', 'yesterday', 'march 2024' or 'since 2024-01-01'`,
      'time_query',
    );
  }
  const window = {
    start: start ? boundOf('start', start) : (phrase?.start ?? null),
    end: end ? boundOf('end', end) : (phrase?.end ?? null),
  };
  return window.start === null && window.end === null ? null : window;
}

function boundOf(name: 'start' | 'end', text: string): Timestamp {
  const timestamp = parseTimestamp(text);
  if (timestamp === null)
    throw new ValidationError(`Invalid ${name} time: Invalid ISO timestamp`, name, boundHelp(text));
  return timestamp;
}

/** In an address, a `+` that is not encoded is a blank. */
function boundHelp(text: string): Help {
  const hint = / \d\d(?::?\d\d)?$/u.test(text)
    ? 'Write the + of an offset as %2B: in an address, + is a blank.'
    : 'Write a time as 2024-03-05 or 2024-03-05T10:00:00Z.';
  return { detail: `The value is ${JSON.stringify(shorten(text))}.`, hint };
}

/** Whether the request has neither an embedding nor a query other than `*`. */
function isListing({ embedding, queries = [] }: RecallQuery, text: string | null): boolean {
  const texts = queries.length > 0 ? queries.map((one) => queryText(one).text) : [text];
  return embedding === undefined && texts.every((one) => one === null);
}

function sourceFieldOf({ distinct_by: field = SOURCE_FIELD }: RecallQuery): string {
  return field === 'none' ? SOURCE_FIELD : field;
}

function isRecencyBiased(bias: 'auto' | 'on' | 'off', queries: readonly string[]): boolean {
  return bias === 'on' || (bias === 'auto' && queries.some(asksForLatest));
}

/** The most results of a request. */
export function limitOf(
  { limit = DEFAULT_LIMIT }: Pick<RecallQuery, 'limit'>,
  { maxLimit }: Pick<RecallConfig, 'maxLimit'>,
): number {
  return Math.min(Math.max(1, limit), maxLimit);
}

type PassRequest = {
  readonly filter: MemoryFilter;
  readonly limit: number;
  readonly config: RecallConfig;
};

/**
 * Candidates by vector, the same for every limit up to RECALL_MAX_LIMIT: scores depend on the pool (rarity, the best
 * match by words, neighbours), so a pool that grew with the limit would change the order of the first results.
 */
const VECTOR_POOL = 100;
/** Expired and archived candidates that are checked for a successor. */
const LAPSED_LIMITS = { vector: 20, keyword: 20, trending: 20 };

function passesOf({ filter, limit, config }: PassRequest): readonly Pass[] {
  const fetched = Math.max(limit, Math.min(limit * config.vectorOverfetch, config.vectorFetchCap));
  const vector = Math.max(limit, Math.min(Math.max(VECTOR_POOL, config.maxLimit), config.vectorFetchCap));
  const main: Pass = { filter, limits: { vector, keyword: Math.max(limit, config.keywordPool), trending: fetched } };
  if (filter.state !== 'current') return [main];
  return [main, { filter: { ...filter, state: 'lapsed' }, limits: LAPSED_LIMITS }];
}

/** Reads the parameter `explain`: a flag, or the id of a memory. Null when the caller asks for no explanation. */
function explainRequestOf(text: string | undefined): ExplainRequest | null {
  const flag = text === undefined ? false : parseFlag(text);
  if (flag !== undefined) return flag ? { memoryId: null } : null;
  const memoryId = parseMemoryId(text ?? '');
  if (memoryId === null) throw new ValidationError("'explain' must be true, false or the id of a memory", 'explain');
  return { memoryId };
}
