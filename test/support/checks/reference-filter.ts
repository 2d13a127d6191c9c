/** A reference implementation of MemoryFilter, and seeded random memories. Tests compare the engines with it. */
import type { MemoryFilter, TagFilter } from '../../../shared/contract/filter.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { canonicalTag, tagPrefixes, wholeTagKey } from '../../../shared/text/tags.js';
import { day, memory } from '../fixtures/memories.js';
import type { Random } from '../fixtures/random.js';

export function admits(
  filter: MemoryFilter,
  { tags, timestamp, type, archived, t_valid: from, t_invalid: until }: Memory,
): boolean {
  const isCurrent =
    !archived && (from === undefined || from <= filter.now) && (until === undefined || until > filter.now);
  const states = { current: isCurrent, lapsed: !isCurrent, unarchived: !archived };
  return (
    states[filter.state] &&
    (filter.tags === null || hasTags(filter.tags, tags)) &&
    (filter.within === null || tagPrefixes(tags).includes(filter.within)) &&
    !filter.excludeTags.some((beginning) => isExcluded(beginning.toLowerCase(), tags)) &&
    (filter.start === null || timestamp >= filter.start) &&
    (filter.end === null || timestamp <= filter.end) &&
    !filter.excludedTypes.includes(type)
  );
}

/** Comparison of prefixes treats the delimiters `/` and `:` as equal. */
function isExcluded(beginning: string, tags: readonly string[]): boolean {
  return (
    tags.some((tag) => wholeTagKey(tag).startsWith(beginning)) ||
    tagPrefixes(tags).some((prefix) => prefix.startsWith(beginning.replaceAll('/', ':')))
  );
}

function hasTags({ values, mode, match }: TagFilter, tags: readonly string[]): boolean {
  const keys = match === 'exact' ? tags.map(wholeTagKey) : tagPrefixes(tags);
  const wanted = values.map(match === 'exact' ? wholeTagKey : canonicalTag);
  return mode === 'all' ? wanted.every((key) => keys.includes(key)) : wanted.some((key) => keys.includes(key));
}

/** Picks up to `most` items of the list, with repeats. */
export function some<T>({ below, pick }: Random, list: readonly T[], most: number): T[] {
  return Array.from({ length: below(most + 1) }, () => pick(list));
}

export const WORDS = ['apple', 'bread', 'cedar', 'delta', 'ember', 'fjord'] as const;
const TAGS = [
  'Project/Foo',
  'project:foo:bar',
  'project:Foo',
  'PROJECT',
  'pro',
  'deploy',
  'Deploy/eu west',
  '50%',
  '::',
  'ärger',
  '部署/東京',
] as const;
const VALUES = [
  ...TAGS,
  'PROJECT:',
  'foo',
  'project/FOO',
  'deploy:eu',
  'ÄRGER',
  '部署',
  'deploy/eu west',
  'o\'tag"--',
] as const;

const RESTRICTIONS = ['project', 'project:foo', 'deploy', 'deploy:eu west', 'ärger', '部署'] as const;

const EXCLUDED = ['dep', 'PRO', 'project:foo', 'PROJECT/foo', 'Deploy/', ':', 'ä', '5', '部', '\u{1F9A6}'] as const;

export function randomMemories(count: number, random: Random): Memory[] {
  const { next, pick } = random;
  return Array.from({ length: count }, (_, index) => {
    const bounds = {
      t_valid: next() < 0.3 ? day(pick([5, 15, 25])) : undefined,
      t_invalid: next() < 0.3 ? day(pick([5, 15, 25])) : undefined,
    };
    return memory(index + 1, {
      content: ['note', ...some(random, WORDS, 5)].join(' '),
      tags: some(random, TAGS, 4),
      importance: pick([0, 0.25, 0.5, 1]),
      timestamp: day(pick([1, 5, 10, 20])),
      updated_at: day(pick([1, 5, 10, 20])),
      type: pick(['Context', 'Decision', 'MetaPattern']),
      ...(next() < 0.1 ? { archived: true } : {}),
      ...(bounds.t_valid ? { t_valid: bounds.t_valid } : {}),
      ...(bounds.t_invalid ? { t_invalid: bounds.t_invalid } : {}),
    });
  });
}

export function randomFilter(random: Random): MemoryFilter {
  const { next, pick } = random;
  return {
    tags:
      next() < 0.6
        ? {
            values: [pick(VALUES), ...some(random, VALUES, 2)],
            mode: pick(['any', 'all']),
            match: pick(['prefix', 'exact']),
          }
        : null,
    within: next() < 0.3 ? pick(RESTRICTIONS) : null,
    excludeTags: next() < 0.3 ? [pick(EXCLUDED), ...some(random, EXCLUDED, 2)] : [],
    start: next() < 0.3 ? day(pick([1, 5, 6, 15])) : null,
    end: next() < 0.3 ? day(pick([4, 10, 20])) : null,
    excludedTypes: next() < 0.5 ? ['MetaPattern'] : [],
    state: pick(['current', 'lapsed', 'unarchived']),
    now: day(15),
  };
}
