/** The first stage of a recall, pure: turns the parameters into everything the later stages need, or refuses them. */
import type { MemoryFilter, TagFilter } from '../../shared/contract/filter.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import type { RecallQuery, Sort } from '../../shared/contract/queries.js';
import { formatTimestamp } from '../../shared/kernel/clock.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';
import type { RecallConfig } from '../config.js';
import { askedText, type AskedText } from './asked-text.js';
import { asksForLatest } from './asks-for-latest.js';
import { contextProfile, type ContextProfile } from './context-profile.js';
import { planExpansion, type ExpansionPlan } from './plan-expansion.js';
import { explainRequestOf, type ExplainRequest } from './explain/explain-request.js';
import { readTimeWindow, type TimeWindow } from './time-window.js';

const DEFAULT_LIMIT = 5;
const METADATA_SLOTS = 10;

/** One round of searching: every source is asked once for each pass. */
export type Pass = {
  readonly filter: MemoryFilter;
  readonly limits: { readonly vector: number; readonly keyword: number; readonly trending: number };
};

export type RecallPlan = AskedText & {
  readonly embedding: Float32Array | null;
  readonly limit: number;
  /** What each search brings at most. */
  readonly perQueryLimit: number;
  readonly sort: Sort;
  readonly filter: MemoryFilter;
  /** The first pass is the request itself; in current mode a small second one looks for what has lapsed and may have a successor. */
  readonly passes: readonly Pass[];
  readonly stateMode: 'current' | 'history';
  readonly stateDebug: boolean;
  readonly timeWindow: TimeWindow | null;
  /** What the caller works on; null when nothing tells. */
  readonly profile: ContextProfile | null;
  /** Memories that strong matches in metadata may bring in, in each pass. */
  readonly metadataSlots: number;
  readonly minScore: number;
  readonly expansion: ExpansionPlan;
  /** Never for a mere list: what is less important than the rest is no worse an answer. */
  readonly adaptiveFloor: boolean;
  /** What being the newest result is worth; null when the order is not to lean to what is new. */
  readonly recencyWeight: number | null;
  readonly scopeFallback: boolean;
  readonly maxTokens: number | null;
  readonly explain: ExplainRequest | null;
  readonly now: Date;
};

export type PlanContext = { readonly config: RecallConfig; readonly dimension: number; readonly now: Date };

/** Throws ValidationError for what the contract refuses; everything else was defaulted at the edge or is clamped here. */
export function planRecall(request: RecallQuery, { config, dimension, now }: PlanContext): RecallPlan {
  const embedding = embeddingOf(request, dimension);
  const asked = askedText(request.query ?? '');
  const limit = limitOf(request, config);
  const perQueryLimit = Math.min(Math.max(1, request.per_query_limit ?? limit), config.maxLimit);
  const stateMode = stateModeOf(request);
  const timeWindow = timeWindowOf(request, now);
  const profile = contextProfile(request, asked.text);
  const filter: MemoryFilter = {
    tags: tagFilterOf(request),
    excludeTags: request.exclude_tags ?? [],
    start: timeWindow?.start ?? null,
    end: timeWindow?.end ?? null,
    excludedTypes: config.excludedTypes,
    state: stateMode === 'current' ? 'current' : 'unarchived',
    now: formatTimestamp(now),
  };
  const isSearch = asked.text !== null || embedding !== null || (request.queries ?? []).length > 0;
  return {
    ...asked,
    embedding,
    limit,
    perQueryLimit,
    sort: request.sort ?? (timeWindow && !isSearch ? 'time_desc' : 'score'),
    filter,
    passes: passesOf({
      filter,
      limit: perQueryLimit,
      isScoped: isSearch && (filter.tags !== null || (profile?.tags.length ?? 0) > 0),
      config,
    }),
    stateMode,
    stateDebug: request.state_debug ?? false,
    timeWindow,
    profile,
    metadataSlots: config.metadataSearch ? Math.min(limit, METADATA_SLOTS) : 0,
    minScore: Math.min(Math.max(0, request.min_score ?? config.minScore), 1),
    expansion: planExpansion(request, config),
    adaptiveFloor: isSearch && (request.adaptive_floor ?? config.adaptiveFloor),
    recencyWeight: isBiased(
      request.recency_bias ?? config.recencyBias,
      request.queries?.length ? request.queries : [asked.query],
    )
      ? config.recencyWeight
      : null,
    scopeFallback: (request.scope_fallback ?? false) && filter.tags !== null && isSearch,
    maxTokens: request.max_tokens ?? null,
    explain: explainRequestOf(request.explain),
    now,
  };
}

/** Refused before anything else, whether or not the vector index answers. */
function embeddingOf({ embedding }: RecallQuery, dimension: number): Float32Array | null {
  if (embedding === undefined) return null;
  if (embedding.length !== dimension)
    throw new ValidationError(`Embedding must contain exactly ${dimension} values`, 'embedding');
  return embedding;
}

/** The older spelling decides alone where it is given. */
function stateModeOf({ current_only, state_mode }: RecallQuery): 'current' | 'history' {
  if (current_only !== undefined) return current_only ? 'current' : 'history';
  return state_mode ?? 'current';
}

function tagFilterOf({ tags = [], tag_mode, tag_match }: RecallQuery): TagFilter | null {
  return tags.length === 0 ? null : { values: tags, mode: tag_mode ?? 'any', match: tag_match ?? 'prefix' };
}

function timeWindowOf({ time_query, start, end }: RecallQuery, now: Date): TimeWindow | null {
  const words = time_query ? readTimeWindow(time_query, now) : null;
  if (time_query && !words) {
    throw new ValidationError(
      `time_query ${JSON.stringify(time_query)} cannot be read: write a phrase such as 'last 7 days', 'yesterday', 'march 2024' or 'since 2024-01-01'`,
      'time_query',
    );
  }
  const window = {
    start: start ? boundOf('start', start) : (words?.start ?? null),
    end: end ? boundOf('end', end) : (words?.end ?? null),
  };
  return window.start === null && window.end === null ? null : window;
}

function boundOf(name: 'start' | 'end', text: string): Timestamp {
  const timestamp = parseTimestamp(text);
  if (timestamp === null) throw new ValidationError(`Invalid ${name} time: Invalid ISO timestamp`, name);
  return timestamp;
}

function isBiased(bias: 'auto' | 'on' | 'off', queries: readonly string[]): boolean {
  return bias === 'on' || (bias === 'auto' && queries.some(asksForLatest));
}

/** How many results a request may get. */
export function limitOf(
  { limit = DEFAULT_LIMIT }: Pick<RecallQuery, 'limit'>,
  { maxLimit }: Pick<RecallConfig, 'maxLimit'>,
): number {
  return Math.min(Math.max(1, limit), maxLimit);
}

type PassRequest = {
  readonly filter: MemoryFilter;
  readonly limit: number;
  /** By tags that narrow or weigh. */ readonly isScoped: boolean;
  readonly config: RecallConfig;
};

function passesOf({ filter, limit, isScoped, config }: PassRequest): readonly Pass[] {
  const fetched = Math.max(limit, Math.min(limit * config.vectorOverfetch, config.vectorFetchCap));
  const vector = isScoped
    ? Math.max(limit, Math.min(Math.max(fetched, config.maxLimit), config.vectorFetchCap))
    : fetched;
  const asked: Pass = { filter, limits: { vector, keyword: Math.max(limit, config.keywordPool), trending: fetched } };
  if (filter.state !== 'current' || config.lapsedPool === 0) return [asked];
  const few = config.lapsedPool;
  return [asked, { filter: { ...filter, state: 'lapsed' }, limits: { vector: few, keyword: few, trending: few } }];
}
