/** A memory filter in Qdrant's words. All of it is pushed down, but for tags that begin with an excluded value without being it. */
import type { Schemas } from '@qdrant/js-client-rest';
import type { MemoryFilter, TagFilter } from '../../contract/filter.js';
import { canonicalTag, wholeTagKey } from '../../text/tags.js';
import type { INDEXES } from './qdrant-payload.js';

export type QdrantFilter = Schemas['Filter'];
type Condition = Schemas['FieldCondition'];
type Field = keyof typeof INDEXES;

/** Keys of which an admitted memory has none. */
export type ExcludedKeys = { readonly tag_keys: Iterable<string>; readonly tag_prefixes: Iterable<string> };

export function qdrantFilter(filter: MemoryFilter, excluded: ExcludedKeys): QdrantFilter {
  const { tags, start, end, excludedTypes, state, now } = filter;
  const lapses: Condition[] = [
    is('archived', true),
    range('valid_from', { gt: now }),
    range('valid_until', { lte: now }),
  ];
  return {
    must: [
      ...(tags === null ? [] : tagConditions(tags)),
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

/** Points that show a memory. */
export function presentFilter(excludedTypes: readonly string[]): QdrantFilter {
  return { must_not: [is('removed', true), ...anyOf('type', excludedTypes)] };
}

/** Points that an update may write over; one that is not there is always written. */
export function olderThan(version: number): QdrantFilter {
  return { must: [range('version', { lt: version })] };
}

function tagConditions({ values, mode, match }: TagFilter): Condition[] {
  const field = match === 'exact' ? 'tag_keys' : 'tag_prefixes';
  const keys = values.map(match === 'exact' ? wholeTagKey : canonicalTag);
  return mode === 'any' ? anyOf(field, keys) : keys.map((key) => is(field, key));
}

function is(key: Field, value: string | boolean): Condition {
  return { key, match: { value } };
}

/** Nothing where there is nothing to be one of. */
function anyOf(key: Field, values: Iterable<string>): Condition[] {
  const any = [...new Set(values)];
  return any.length === 0 ? [] : [{ key, match: { any } }];
}

function range(key: Field, bounds: Schemas['Range'] | Schemas['DatetimeRange']): Condition {
  return { key, range: bounds };
}
