/** The index point that shows a memory: its vector, and everything a filter may ask for. */
import type { Memory } from '../../shared/contract/memory.js';
import type { Point } from '../../shared/vectors/vectors.js';

export function pointOf(
  memory: Memory,
  { version, vector, model }: Pick<Point, 'version' | 'vector' | 'model'>,
): Point {
  return {
    id: memory.id,
    version,
    vector,
    model,
    payload: {
      type: memory.type,
      importance: memory.importance,
      confidence: memory.confidence,
      tags: memory.tags,
      tagPrefixes: memory.tag_prefixes,
      timestamp: memory.timestamp,
      updatedAt: memory.updated_at,
      validFrom: memory.t_valid ?? null,
      validUntil: memory.t_invalid ?? null,
      archived: memory.archived ?? false,
    },
  };
}
