/**
 * Builds the structured content of a result: brief, detailed, whole, or short for a memory that alone exceeds the token
 * budget.
 */
import type { FoundMemory } from './found.js';
import { excerptOf, firstTags, relationsOf, relationStubs, timesOfMemory } from './memory-parts.js';

export type Item = Readonly<Record<string, unknown>>;

export function briefItem(found: FoundMemory): Item {
  const { memory, id, final_score, match_probability, match_type, outside_tag_scope, state_replaces } = found;
  return present({
    memory_id: id,
    ...excerptOf(memory).fields,
    tags: memory.tags ?? [],
    importance: memory.importance ?? 0,
    final_score,
    match_probability,
    match_type,
    ...timesOf(found),
    outside_tag_scope,
    state_replaces,
  });
}

export function detailedItem(found: FoundMemory): Item {
  const { type, confidence, last_accessed, metadata = {} } = found.memory;
  const relations = relationsOf(found);
  return present({
    ...briefItem(found),
    last_accessed,
    type,
    confidence,
    metadata_keys: Object.keys(metadata),
    relations: relationStubs(found),
    relations_total: relations.length,
    deduped_from: found.deduped_from,
    expanded_from_entity: found.expanded_from_entity,
  });
}

/** Every field, without duplicates and without fields that only the service itself uses. */
export function wholeItem(found: FoundMemory): Item {
  const { id, memory, relations, related_to: relatedTo, score: _score, _query, ...about } = found;
  const {
    id: _id,
    memory_id: _memoryId,
    timestamp: _timestamp,
    tag_prefixes: _prefixes,
    content,
    summary,
    tags,
    importance,
    ...fields
  } = memory;
  return present({
    memory_id: id,
    content,
    summary,
    tags: tags ?? [],
    importance: importance ?? 0,
    ...about,
    ...timesOf(found),
    ...fields,
    relations: relations ?? relatedTo,
  });
}

/** Its size has an upper limit, whatever the memory holds. */
export function shortItem(found: FoundMemory): Item & { readonly tags: readonly string[] } {
  const { tags = [] } = found.memory;
  return {
    ...briefItem(found),
    tags: firstTags(tags),
    tags_total: tags.length,
    shortened: true,
  };
}

function timesOf({ memory }: FoundMemory): Item {
  const { createdAt, updatedAt, validFrom, validUntil } = timesOfMemory(memory);
  return { created_at: createdAt, updated_at: updatedAt, t_valid: validFrom, t_invalid: validUntil };
}

/** Drops fields without a value: JSON has no undefined. */
function present(fields: Item): Item {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
