/** Converts a MemoryFilter to SQL conditions, in this one place. */
import { type MemoryFilter, type TagFilter, tagFiltersOf } from '../../../../contract/filter.js';
import { shortestPrefixes } from '../../../../text/prefixes.js';
import { canonicalTag, wholeTagKey } from '../../../../text/tags.js';
import type { SqlValue } from '../../threads/database.js';
import { TAG_PREFIX, type TagKey, WHOLE_TAG } from '../schema/tag-keys.js';

/**
 * Conditions on `memories AS m` with their parameters. The text depends on which parts a filter has and on the number
 * of excluded tags, never on values.
 */
export type Conditions = { readonly sql: string; readonly params: readonly SqlValue[] };
export type Condition = readonly [sql: string, ...params: SqlValue[]];

const IS_CURRENT =
  'm.archived = 0 AND (m.t_valid IS NULL OR m.t_valid <= ?) AND (m.t_invalid IS NULL OR m.t_invalid > ?)';

/** Conditions of the whole filter. */
export function conditions(filter: MemoryFilter): Conditions {
  return joined([
    ['m.present = 1'],
    stateOf(filter),
    ...windowOf(filter),
    ...excludedTypesOf(filter),
    ...tagFiltersOf(filter).map(tagsOf),
    ...excludedTagsOf(filter),
  ]);
}

/** Conditions of the tags only. */
export function tagCondition(tags: TagFilter): Conditions {
  return joined([tagsOf(tags)]);
}

/** A value that consists of delimiters becomes the empty key, which no memory has. */
export function wantedKeys({ values, match }: TagFilter): TagKey[] {
  const [kind, spell] = match === 'exact' ? ([WHOLE_TAG, wholeTagKey] as const) : ([TAG_PREFIX, canonicalTag] as const);
  return [...new Set(values.map(spell))].map((key) => ({ kind, key }));
}

function stateOf({ state, now }: MemoryFilter): Condition {
  switch (state) {
    case 'current':
      return [IS_CURRENT, now, now];
    case 'lapsed':
      return [`NOT (${IS_CURRENT})`, now, now];
    case 'unarchived':
      return ['m.archived = 0'];
    default:
      return state satisfies never;
  }
}

function windowOf({ start, end }: MemoryFilter): Condition[] {
  return [
    ...(start === null ? [] : [['m.timestamp >= ?', start] as const]),
    ...(end === null ? [] : [['m.timestamp <= ?', end] as const]),
  ];
}

export function excludedTypesOf({ excludedTypes }: Pick<MemoryFilter, 'excludedTypes'>): Condition[] {
  if (excludedTypes.length === 0) return [];
  return [['m.type NOT IN (SELECT value FROM json_each(?))', JSON.stringify(excludedTypes)]];
}

/** Whole tags are compared with the value as written, prefixes with each `/` of the value replaced by `:`. */
function excludedTagsOf({ excludeTags }: MemoryFilter): Condition[] {
  const written = excludeTags.map(wholeTagKey);
  return [
    ...noKeyBeginsWith(WHOLE_TAG, written),
    ...noKeyBeginsWith(
      TAG_PREFIX,
      written.map((tag) => tag.replaceAll('/', ':')),
    ),
  ];
}

function noKeyBeginsWith(kind: TagKey['kind'], values: readonly string[]): Condition[] {
  const prefixes = shortestPrefixes(values);
  if (prefixes.length === 0) return [];
  const [sql, ...params] = beginsWithAny('k.key', prefixes);
  return [[`NOT EXISTS (SELECT 1 FROM memory_tags AS k WHERE k.n = m.n AND k.kind = ${kind} AND ${sql})`, ...params]];
}

/** The keys of one memory and kind are distinct, so a memory has all wanted keys when it has as many of them. */
export function tagsOf(tags: TagFilter): Condition {
  const keys = wantedKeys(tags);
  const has = 'FROM memory_tags AS k WHERE k.n = m.n AND k.kind = ? AND k.key IN (SELECT value FROM json_each(?))';
  const params = [keys[0]?.kind ?? WHOLE_TAG, JSON.stringify(keys.map(({ key }) => key))] as const;
  return tags.mode === 'any'
    ? [`EXISTS (SELECT 1 ${has})`, ...params]
    : [`(SELECT count(*) ${has}) = ?`, ...params, keys.length];
}

export function joined(parts: readonly Condition[]): Conditions {
  return { sql: parts.map(([sql]) => `(${sql})`).join(' AND '), params: parts.flatMap(([, ...params]) => params) };
}

/**
 * Builds the test whether a column begins with one of many values: a binary search as nested CASE expressions. A key
 * costs eight comparisons for 200 values. Joining the keys with `json_each` compared every key with every value and
 * parsed the list again for each memory. `prefixes` is not empty, and no value begins with another: see
 * `shortestPrefixes`.
 */
function beginsWithAny(column: string, prefixes: readonly string[]): readonly [sql: string, ...params: SqlValue[]] {
  // SQLite compares text by its UTF-8 bytes, JavaScript by its UTF-16 units.
  const ordered = [...prefixes].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const params: SqlValue[] = [];

  function search(from: number, to: number): string {
    if (to - from === 1) {
      params.push(ordered[from] ?? '', ordered[from] ?? '');
      return `substr(${column}, 1, length(?)) = ?`;
    }
    const middle = (from + to) >> 1;
    params.push(ordered[middle] ?? '');
    return `CASE WHEN ${column} < ? THEN ${search(from, middle)} ELSE ${search(middle, to)} END`;
  }

  return [search(0, ordered.length), ...params];
}
