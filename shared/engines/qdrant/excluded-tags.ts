/**
 * Excludes memories whose tags begin with given values. Qdrant matches whole keywords only; storing every beginning of every tag as a keyword
 * would need about 75 keywords for each memory. So the filter excludes keys that equal an excluded value. A key that only begins with one is
 * learned from a hit that has it: then the filter excludes this key too, and the search runs again.
 */
import { createBeginsWithAny } from '../../text/beginnings.js';
import { wholeTagKey } from '../../text/tags.js';
import type { ExcludedKeys } from './qdrant-filter.js';

/** The stored keys of a hit. */
export type HitKeys = { readonly tag_keys: readonly string[]; readonly tag_prefixes: readonly string[] };

export type ExcludedTags = {
  /** The keys that the filter can exclude so far. */
  readonly keys: ExcludedKeys;
  /** Returns whether the hit is excluded. Adds the keys that exclude it to `keys`. */
  readonly excludes: (hit: HitKeys) => boolean;
};

export function createExcludedTags(values: readonly string[]): ExcludedTags {
  const wholes = values.map(wholeTagKey);
  const beginnings = { tag_keys: wholes, tag_prefixes: wholes.map((value) => value.replaceAll('/', ':')) };
  const isExcluded = {
    tag_keys: createBeginsWithAny(beginnings.tag_keys),
    tag_prefixes: createBeginsWithAny(beginnings.tag_prefixes),
  };
  const keys = { tag_keys: new Set(beginnings.tag_keys), tag_prefixes: new Set(beginnings.tag_prefixes) };

  function learn(field: keyof HitKeys, found: readonly string[]): boolean {
    const offending = found.filter(isExcluded[field]);
    for (const key of offending) keys[field].add(key);
    return offending.length > 0;
  }

  return {
    keys,
    excludes: (hit) => [learn('tag_keys', hit.tag_keys), learn('tag_prefixes', hit.tag_prefixes)].includes(true),
  };
}
