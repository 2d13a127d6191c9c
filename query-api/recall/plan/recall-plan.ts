/** What a recall plans to do, as data that all later stages read. Types only. */
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Sort } from '../../../shared/contract/queries/recall-query.js';
import type { ContextProfile } from './context-profile.js';
import type { ExpansionPlan } from './plan-expansion.js';
import type { QueryText } from './query-text.js';
import type { TimeWindow } from './time-window.js';

/** One round of searching: each source searches once per pass. */
export type Pass = {
  readonly filter: MemoryFilter;
  readonly limits: { readonly vector: number; readonly keyword: number; readonly trending: number };
};

/** Every result is explained; `memoryId` names one memory whose absence is explained as well. */
export type ExplainRequest = { readonly memoryId: MemoryId | null };

export type RecallPlan = QueryText & {
  readonly embedding: Float32Array | null;
  readonly limit: number;
  /** The most results that one search contributes. */
  readonly perQueryLimit: number;
  readonly sort: Sort;
  readonly filter: MemoryFilter;
  /**
   * The first pass is the request itself. In current mode a small second pass finds lapsed memories, which may have a
   * successor.
   */
  readonly passes: readonly Pass[];
  readonly stateMode: 'current' | 'history';
  readonly stateDebug: boolean;
  /** Results have few fields and no associations. */
  readonly isCompact: boolean;
  readonly timeWindow: TimeWindow | null;
  /** What the caller works on; null when the request does not say. */
  readonly profile: ContextProfile | null;
  /** The most memories that strong metadata matches add, per pass. */
  readonly metadataSlots: number;
  readonly minScore: number;
  /** 0 drops no result. A listing has no probabilities and drops none. */
  readonly minProbability: number;
  /** The metadata field that names the source of a memory: a source has one place. Null when pieces share no places. */
  readonly distinctBy: string | null;
  /** The metadata field that names the source of a memory, also when pieces share no places. */
  readonly sourceField: string;
  readonly expansion: ExpansionPlan;
  /** Off without a query: a listing has no relevance to cut by. */
  readonly adaptiveFloor: boolean;
  /** What the newest result gains; null when recency does not change the order. */
  readonly recencyWeight: number | null;
  /** The results cover as many days as possible: the query asks for a history as a whole. */
  readonly coversDays: boolean;
  /** A query by vector alone: the closest memory is first, whatever its importance and age add to its score. */
  readonly ranksByCloseness: boolean;
  readonly scopeFallback: boolean;
  readonly maxTokens: number | null;
  readonly explain: ExplainRequest | null;
  readonly now: Date;
};

/** The plan with the text of one search. */
export type Search = RecallPlan & {
  /** What its matches count, 0 to 1: 1 for each query of the caller, less for a part of a query. */
  readonly weight: number;
};
