/** How an association is shown beside a memory, in recall and in the single-memory reply. */
import type { Relation } from '../shared/graph/graph.js';

export function relationReply({ type, direction, strength, created_at, updated_at, properties, memory }: Relation) {
  const { kind, ...others } = properties;
  return {
    type,
    direction,
    strength,
    created_at,
    updated_at,
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(Object.keys(others).length > 0 ? { properties: others } : {}),
    memory,
  };
}
