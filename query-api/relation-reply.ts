/** The form of an association in the replies of recall and of a single memory. */
import type { Relation } from '../shared/ports/graph.js';

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
