/** The colours in which clients of the graph routes draw memories and associations. */
import { ASSOCIATION_TYPES, type AssociationType } from '../association.js';
import type { MemoryType } from '../memory.js';

export const TYPE_COLORS = {
  Decision: '#3B82F6',
  Pattern: '#10B981',
  Preference: '#8B5CF6',
  Style: '#EC4899',
  Habit: '#F59E0B',
  Insight: '#F97316',
  Context: '#6B7280',
  /** Of a memory with any other type. */
  Memory: '#94A3B8',
} as const satisfies Record<MemoryType | 'Memory', string>;

const ASSOCIATION_COLORS: Readonly<Record<AssociationType, string>> = {
  RELATES_TO: '#94A3B8',
  LEADS_TO: '#3B82F6',
  OCCURRED_BEFORE: '#6B7280',
  PREFERS_OVER: '#8B5CF6',
  EXEMPLIFIES: '#10B981',
  CONTRADICTS: '#EF4444',
  REINFORCES: '#22C55E',
  INVALIDATED_BY: '#F97316',
  EVOLVED_INTO: '#06B6D4',
  DERIVED_FROM: '#A855F7',
  PART_OF: '#64748B',
  SIMILAR_TO: '#0EA5E9',
  PRECEDED_BY: '#475569',
  SUMMARIZES: '#D4D4D8',
  DISCOVERED: '#A1A1AA',
};

/** For any type of a memory, also one that callers cannot give. */
export function memoryColor(type: string): string {
  return (TYPE_COLORS as Readonly<Record<string, string>>)[type] ?? TYPE_COLORS.Memory;
}

/** For any type of an association, also one that other reads leave out. */
export function associationColor(type: AssociationType): string {
  return ASSOCIATION_COLORS[type];
}

/** The types of associations that reads return, in alphabetical order. */
export const PUBLIC_ASSOCIATION_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[])
  .filter((type) => ASSOCIATION_TYPES[type].isPublic)
  .sort();

/** The colours of the public types alone. */
export const RELATION_COLORS: Readonly<Record<string, string>> = Object.fromEntries(
  PUBLIC_ASSOCIATION_TYPES.map((type) => [type, ASSOCIATION_COLORS[type]]),
);
