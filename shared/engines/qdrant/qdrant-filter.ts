/**
 * Converts a memory filter to a Qdrant filter. Only tags that begin with an excluded value, but differ from it, need a
 * second step.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import { type MemoryFilter, type TagFilter, tagFiltersOf } from '../../contract/filter.js';
import { canonicalTag, wholeTagKey } from '../../text/tags.js';
import type { INDEXES } from './qdrant-payload.js';

export type QdrantFilter = Schemas['Filter'];
type Condition = Schemas['FieldCondition'];
type Field = keyof typeof INDEXES;

/** Keys that an admitted memory must not have. */
export type ExcludedKeys = { readonly tag_keys: Iterable<string>; readonly tag_prefixes: Iterable<string> };

export function qdrantFilter(filter: MemoryFilter, excluded: ExcludedKeys): QdrantFilter {
  const { start, end, excludedTypes, state, now } = filter;
  const lapses: Condition[] = [
    is('archived', true),
    range('valid_from', { gt: now }),
    range('valid_until', { lte: now }),
  ];
  return {
    must: [
      ...tagFiltersOf(filter).flatMap(tagConditions),
      ...(start === null && end === null ? [] : [range('timestamp', { gte: start, lte: end })]),
      ...(state === 'lapsed' ? [{ should: lapses }] : []),
    ],
    must_not: [
      is('removed', true),
      ...anyOf('type', excludedTypes),
      ...anyOf('tag_keys', excluded.tag_keys),
      ...anyOf('tag_prefixes', excluded.tag_prefixes),
      ...(state === 'current' ? lapses : []),
      ...(state === 'unarchived' ? [is('archived', true)] : []),
    ],
  };
}

/** Matches points of memories, without tombstones. */
export function presentFilter(excludedTypes: readonly string[]): QdrantFilter {
  return { must_not: [is('removed', true), ...anyOf('type', excludedTypes)] };
}

/**
 * Matches points that a write of this version may replace: all that are not newer. Qdrant always writes a missing
 * point. The same version is replaced too, because a Qdrant that was killed applies its last writes again: a write that
 * its payload index has already would be left out, although the point lacks it (qdrant/qdrant 9575).
 */
export function notNewerThan(version: number): QdrantFilter {
  return { must_not: [range('version', { gt: version })] };
}

function tagConditions({ values, mode, match }: TagFilter): Condition[] {
  const field = match === 'exact' ? 'tag_keys' : 'tag_prefixes';
  const keys = values.map(match === 'exact' ? wholeTagKey : canonicalTag);
  return mode === 'any' ? anyOf(field, keys) : keys.map((key) => is(field, key));
}

function is(key: Field, value: string | boolean): Condition {
  return { key, match: { value } };
}

/** No condition for an empty list of values. */
function anyOf(key: Field, values: Iterable<string>): Condition[] {
  const any = [...new Set(values)];
  return any.length === 0 ? [] : [{ key, match: { any } }];
}

function range(key: Field, bounds: Schemas['Range'] | Schemas['DatetimeRange']): Condition {
  return { key, range: bounds };
}
