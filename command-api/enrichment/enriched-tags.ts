/** The tags of a memory whose entities were found: the caller's own, and one for each entity. */
import { TAG_LENGTH_LIMIT, TAG_LIMIT } from '../../shared/contract/limits.js';
import { entityTags } from '../../shared/text/entity-tags.js';
import { canonicalTag } from '../../shared/text/tags.js';
import { characterCount } from '../memories/memory-fields.js';

type Entities = Readonly<Record<string, readonly string[]>>;

/**
 * `former`: what an earlier enrichment found and tagged; what is not found any more loses its tag. Entities beyond the limit of tags go
 * without one: a caller's tag is never given up for them.
 */
export function enrichedTags(
  tags: readonly string[],
  { former, entities }: { readonly former: Entities; readonly entities: Entities },
): readonly string[] {
  const found = entityTags(entities);
  const outdated = new Set(entityTags(former).filter((tag) => !found.includes(tag)));
  const kept = tags.filter((tag) => !outdated.has(tag));
  const known = new Set(kept.map(canonicalTag));
  const added = found.filter((tag) => !known.has(tag) && characterCount(tag) <= TAG_LENGTH_LIMIT);
  return [...kept, ...added.slice(0, Math.max(0, TAG_LIMIT - kept.length))];
}
