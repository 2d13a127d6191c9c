/** The `meta` of answers about the graph: what a client needs to draw it. */
import { closed, number, text } from '../reply-parts.js';
import { RELATION_COLORS, TYPE_COLORS } from './colors.js';

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
