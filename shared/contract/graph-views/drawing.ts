/** What clients of the graph routes need to draw memories and associations: colours, sizes, parts of answers. */
import { ASSOCIATION_TYPES, type AssociationType } from '../association.js';
import { type MemoryType, metadataObject } from '../memory.js';
import { closed, number, text, textList } from '../reply-parts.js';

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

const colors = {
  type: 'object',
  additionalProperties: text,
  description: 'The colour of each type, as #RRGGBB.',
} as const;

export const drawingKeys = closed({
  type_colors: colors,
  relation_colors: colors,
  query_time_ms: number,
  archive_threshold: { ...number, description: 'Consolidation archives memories of a lower relevance; 0: none.' },
});

export function drawingKeysOf({
  queryTimeMs,
  archiveBelow,
}: {
  readonly queryTimeMs: number;
  readonly archiveBelow: number;
}) {
  return {
    type_colors: TYPE_COLORS,
    relation_colors: RELATION_COLORS,
    query_time_ms: queryTimeMs,
    archive_threshold: archiveBelow,
  };
}

const color = { ...text, description: '#RRGGBB.' } as const;

const drawn = {
  id: text,
  content: text,
  type: text,
  importance: number,
  confidence: number,
  tags: textList,
  timestamp: text,
  color,
  radius: { ...number, description: '0.5 + 1.5 x importance.' },
  opacity: { ...number, description: '0.4 + 0.6 x confidence.' },
} as const;

export const drawnNeighbour = closed(drawn);
export const drawnSimilar = closed({ ...drawn, similarity: { ...number, description: 'Cosine, 4 decimals.' } });
export const drawnMemory = closed({ ...drawn, updated_at: text, metadata: metadataObject });

const association = {
  id: { ...text, description: '`<source>-<type>-<target>`.' },
  source: text,
  target: text,
  type: text,
  strength: number,
  color,
} as const;

export const drawnAssociation = closed(association);
export const drawnWithProperties = closed({
  ...association,
  properties: { type: 'object', additionalProperties: true },
});
