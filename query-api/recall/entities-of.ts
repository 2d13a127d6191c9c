/** Whom and what memories are about, pure: the entities that extraction or their callers named in them. */
import type { Memory } from '../../shared/contract/memory.js';
import { entityNamed, taggedEntities, type Entity } from '../../shared/text/entity-tags.js';

/** These lead from one memory to another more often than tools or concepts do, which half of a project may share. */
const LEADING_TYPES = ['people', 'places', 'organizations'];

/** Distinct by tag: people, places and organizations before all others, then in the order of the memories. */
export function entitiesOf(memories: readonly Pick<Memory, 'metadata' | 'tag_prefixes'>[]): readonly Entity[] {
  const found = memories.flatMap(({ metadata, tag_prefixes }) => [
    ...extracted(metadata['entities']),
    ...taggedEntities(tag_prefixes),
  ]);
  const distinct = [...new Map(found.map((entity) => [entity.tag, entity])).values()];
  const isLeading = ({ type }: Entity): boolean => LEADING_TYPES.includes(type);
  return [...distinct.filter(isLeading), ...distinct.filter((entity) => !isLeading(entity))];
}

/** `{people: ["Ann Lee"], ...}`; metadata is arbitrary JSON, so anything else is passed over. */
function extracted(entities: unknown): readonly Entity[] {
  if (typeof entities !== 'object' || entities === null) return [];
  return LEADING_TYPES.flatMap((type) => {
    const names: unknown = (entities as Readonly<Record<string, unknown>>)[type];
    return Array.isArray(names)
      ? names.flatMap((name) => (typeof name === 'string' ? (entityNamed(type, name) ?? []) : []))
      : [];
  });
}
