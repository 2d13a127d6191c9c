/** Names the parts of a filter that keep a memory out, pure; each is asked by itself in the words of `admits`. */
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { admits } from '../admits.js';

export type FilterRule = 'type' | 'time_window' | 'tags' | 'exclude_tags' | 'archived';

export function failedRules(filter: MemoryFilter, memory: Memory): readonly FilterRule[] {
  const open: MemoryFilter = {
    tags: null,
    excludeTags: [],
    start: null,
    end: null,
    excludedTypes: [],
    state: 'current',
    now: filter.now,
  };
  const rules: Readonly<Record<FilterRule, Partial<MemoryFilter>>> = {
    type: { excludedTypes: filter.excludedTypes },
    time_window: { start: filter.start, end: filter.end },
    tags: { tags: filter.tags },
    exclude_tags: { excludeTags: filter.excludeTags },
    archived: { state: filter.state },
  };
  return (Object.keys(rules) as FilterRule[]).filter((rule) => !admits({ ...open, ...rules[rule] }, memory));
}
