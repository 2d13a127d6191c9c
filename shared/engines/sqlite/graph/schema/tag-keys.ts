/** The keys that tag searches compare: whole tags, and cumulative tag prefixes. */
import { tagPrefixes, wholeTagKey } from '../../../../text/tags.js';

export const WHOLE_TAG = 0;
export const TAG_PREFIX = 1;
export type TagKey = { readonly kind: typeof WHOLE_TAG | typeof TAG_PREFIX; readonly key: string };

/** Whether the memory with the row number has the tag in a parameter, or one below it; without a tag, always. */
export function isRowWithin(n: string, parameter: string): string {
  return `(${parameter} IS NULL OR EXISTS (SELECT 1 FROM memory_tags AS k WHERE k.n = ${n} AND k.kind = ${TAG_PREFIX} AND k.key = ${parameter}))`;
}

/** Distinct keys of all tags of one memory. */
export function tagKeys(tags: readonly string[]): TagKey[] {
  const whole = new Set(tags.map(wholeTagKey));
  return [
    ...[...whole].map((key) => ({ kind: WHOLE_TAG, key }) as const),
    ...tagPrefixes(tags).map((key) => ({ kind: TAG_PREFIX, key }) as const),
  ];
}
