/** Counts the names in the metadata of memories. */
import type { Memory } from '../../shared/contract/memory.js';
import { isRecord } from '../../shared/kernel/is-record.js';

const METADATA_FIELDS = ['entities', 'keywords', 'topics'] as const;
const NAME_LIMIT = 50;
/** Longer texts are no names. */
const NAME_LENGTH = 200;

/** The names of most memories first, each with the number of memories that have it; ties in the order of the alphabet. */
export function countEntities(memories: readonly Memory[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const memory of memories) {
    for (const name of namesOf(memory)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, NAME_LIMIT);
}

function namesOf({ metadata, entities }: Memory): ReadonlySet<string> {
  const texts = [...METADATA_FIELDS.map((field) => metadata[field]), entities].flatMap(textsIn);
  return new Set(texts.map((text) => text.trim()).filter((text) => text !== '' && text.length <= NAME_LENGTH));
}

/** A text, a list of texts, or an object that has such lists by category. */
function textsIn(value: unknown): readonly string[] {
  const parts: readonly unknown[] = isRecord(value) ? Object.values(value).flat() : [value].flat();
  return parts.filter((part) => typeof part === 'string');
}
