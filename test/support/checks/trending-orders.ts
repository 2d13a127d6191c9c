/** A reference implementation of the list orders. */
import type { Memory } from '../../../shared/contract/memory.js';
import type { TrendingOrder } from '../../../shared/ports/graph.js';

type Compare = (one: Memory, other: Memory) => number;

const descending = (one: number | string, other: number | string): number => (one < other ? 1 : one > other ? -1 : 0);
const byImportance: Compare = (one, other) => descending(one.importance, other.importance);
const byId: Compare = (one, other) => descending(other.id, one.id);

export const TRENDING_ORDERS: Readonly<Record<TrendingOrder, Compare>> = {
  importance: (one, other) =>
    byImportance(one, other) || descending(one.timestamp, other.timestamp) || byId(one, other),
  time_desc: (one, other) => descending(one.timestamp, other.timestamp) || byImportance(one, other) || byId(one, other),
  time_asc: (one, other) => descending(other.timestamp, one.timestamp) || byImportance(one, other) || byId(one, other),
  updated_desc: (one, other) =>
    descending(one.updated_at, other.updated_at) || byImportance(one, other) || byId(one, other),
  updated_asc: (one, other) =>
    descending(other.updated_at, one.updated_at) || byImportance(one, other) || byId(one, other),
};
