/**
 * Excluded tags. Qdrant matches keywords whole and knows no "begins with"; every beginning of every tag as a keyword of its own would be
 * some 75 keywords a memory. So keys that are an excluded value are left out by the filter, and a key that merely begins with one is
 * learned when a hit shows it: then it is left out by name too, and the search is asked again.
 */
import { wholeTagKey } from '../../text/tags.js';
import type { ExcludedKeys } from './qdrant-filter.js';

/** The keys of a hit, as they were stored. */
export type HitKeys = { readonly tag_keys: readonly string[]; readonly tag_prefixes: readonly string[] };

export type ExcludedTags = {
  /** What the filter can leave out by now. */
  readonly keys: ExcludedKeys;
  /** Whether the hit is to go; then its offending keys are among `keys` from now on. */
  readonly excludes: (hit: HitKeys) => boolean;
};

export function createExcludedTags(values: readonly string[]): ExcludedTags {
  const wholes = values.map(wholeTagKey);
  const beginnings = { tag_keys: wholes, tag_prefixes: wholes.map((value) => value.replaceAll('/', ':')) };
  const keys = { tag_keys: new Set(beginnings.tag_keys), tag_prefixes: new Set(beginnings.tag_prefixes) };

  function learn(field: keyof HitKeys, found: readonly string[]): boolean {
    const offending = found.filter((key) => beginnings[field].some((beginning) => key.startsWith(beginning)));
    for (const key of offending) keys[field].add(key);
    return offending.length > 0;
  }

  return {
    keys,
    excludes: (hit) => [learn('tag_keys', hit.tag_keys), learn('tag_prefixes', hit.tag_prefixes)].includes(true),
  };
}
