/**
 * How relevant a memory is now: it falls with age and rises with use, associations, importance and confidence. The
 * formula and its constants are those of AutoMem's consolidation, whose golden values a test holds.
 */
import type { Memory, Timestamp } from '../contract/memory.js';

export type RelevanceRules = {
  /** Of the decay with age, for each day. */
  readonly decayRate: number;
  /** The relevance never falls below the importance times this. */
  readonly importanceFloor: number;
};

export type RelevanceFacts = Pick<Memory, 'importance' | 'confidence' | 'timestamp' | 'last_accessed'> & {
  /** Associations of callers and of enrichment, in both directions. */
  readonly edges: number;
};

const DAY_MS = 86_400_000;
/** Of the decay with the time since the last access, for each day. */
const ACCESS_DECAY_RATE = 0.05;

/** Between 0 and 1. */
export function relevanceOf(facts: RelevanceFacts, now: Timestamp, rules: RelevanceRules): number {
  const { importance, confidence, edges } = facts;
  const idleDays = daysBetween(facts.last_accessed, now);
  const access = idleDays < 1 ? 1 : Math.exp(-ACCESS_DECAY_RATE * idleDays);
  const relevance =
    Math.exp(-rules.decayRate * daysBetween(facts.timestamp, now)) *
    (0.3 + 0.3 * access) *
    (1 + 0.3 * Math.log(1 + edges)) *
    (0.5 + importance) *
    (0.7 + 0.3 * confidence);
  return Math.min(1, Math.max(importance * rules.importanceFloor, relevance));
}

/** The relevance that a memory had when it was new: without age and without associations. */
export function firstRelevance(memory: Pick<Memory, 'importance' | 'confidence'>, rules: RelevanceRules): number {
  const at = new Date(0).toISOString();
  const { importance, confidence } = memory;
  return relevanceOf({ importance, confidence, timestamp: at, last_accessed: at, edges: 0 }, at, rules);
}

/** 0 when `from` is later. */
export function daysBetween(from: Timestamp, until: Timestamp): number {
  return Math.max(0, (Date.parse(until) - Date.parse(from)) / DAY_MS);
}

/** A change by at least this much is written. */
export const RELEVANCE_STEP = 0.05;
/** Above them the relevance of a memory counts as high, medium, low. */
export const RELEVANCE_CLASSES = { high: 0.7, medium: 0.3, low: 0.1 } as const;

/** True when the relevance moved by RELEVANCE_STEP, or to the other side of a threshold. */
export function isNoticeable(before: number, after: number, thresholds: readonly number[]): boolean {
  if (Math.abs(after - before) >= RELEVANCE_STEP) return true;
  return [...Object.values(RELEVANCE_CLASSES), ...thresholds].some((one) => before > one !== after > one);
}
