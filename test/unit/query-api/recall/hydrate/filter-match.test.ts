import { expect } from 'chai';
import { matchesFilter } from '../../../../../query-api/recall/hydrate/filter-match.js';
import type { MemoryFilter, TagFilter } from '../../../../../shared/contract/filter.js';
import { memoryOf, NOW_TEXT } from '../memories.js';

const open: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: NOW_TEXT,
};
const tagged = memoryOf(1, { tags: ['Project/Foo:Bar', 'deploy'] });
const byTags = (values: readonly string[], overrides: Partial<TagFilter> = {}): boolean =>
  matchesFilter({ ...open, tags: { values, mode: 'any', match: 'prefix', ...overrides } }, tagged);
const excluding = (...excludeTags: readonly string[]): boolean => matchesFilter({ ...open, excludeTags }, tagged);

describe('filter match', () => {
  it('accepts whole parts of a tag, in any case, with either delimiter', () => {
    expect(byTags(['project'])).to.equal(true);
    expect(byTags(['PROJECT:foo'])).to.equal(true);
    expect(byTags(['project/foo/bar'])).to.equal(true);
    expect(byTags(['proj'])).to.equal(false);
    expect(byTags(['foo'])).to.equal(false);
  });

  it('accepts only memories within a tag, in addition to the tags', () => {
    const within = (tag: string, value = 'deploy'): boolean =>
      matchesFilter({ ...open, tags: { values: [value], mode: 'any', match: 'prefix' }, within: tag }, tagged);
    expect(['project', 'project:foo', 'project:foo:bar'].every((tag) => within(tag))).to.equal(true);
    expect(['proj', 'project:fo', 'foo', 'project:foo:bar:more'].some((tag) => within(tag))).to.equal(false);
    expect(within('project', 'other')).to.equal(false);
  });

  it('accepts only whole tags when the match is exact', () => {
    expect(byTags(['project/foo:bar'], { match: 'exact' })).to.equal(true);
    expect(byTags(['project'], { match: 'exact' })).to.equal(false);
  });

  it('accepts any tag, or requires all tags', () => {
    expect(byTags(['deploy', 'other'])).to.equal(true);
    expect(byTags(['deploy', 'other'], { mode: 'all' })).to.equal(false);
    expect(byTags(['deploy', 'project'], { mode: 'all' })).to.equal(true);
  });

  it('rejects by the beginning of a tag', () => {
    expect(excluding('dep')).to.equal(false);
    expect(excluding('project:f')).to.equal(false);
    expect(excluding('PROJECT/FOO')).to.equal(false);
    expect(excluding('foo', ' ')).to.equal(true);
  });

  it('includes both ends of the time window', () => {
    const memory = memoryOf(1, { timestamp: '2024-01-01T00:00:00+00:00' });
    expect(matchesFilter({ ...open, start: memory.timestamp, end: memory.timestamp }, memory)).to.equal(true);
    expect(matchesFilter({ ...open, start: '2024-01-01T00:00:00.000001+00:00' }, memory)).to.equal(false);
    expect(matchesFilter({ ...open, end: '2023-12-31T23:59:59.999999+00:00' }, memory)).to.equal(false);
  });

  it('rejects excluded types', () => {
    expect(matchesFilter({ ...open, excludedTypes: ['MetaPattern'] }, memoryOf(1, { type: 'MetaPattern' }))).to.equal(
      false,
    );
  });

  it('rejects archived memories in history mode only', () => {
    const archived = memoryOf(1, { archived: true });
    expect(matchesFilter({ ...open, state: 'unarchived' }, archived)).to.equal(false);
    expect(matchesFilter(open, archived)).to.equal(true);
  });
});
