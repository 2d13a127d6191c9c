import { expect } from 'chai';
import { admits } from '../../../query-api/recall/admits.js';
import type { MemoryFilter, TagFilter } from '../../../shared/contract/filter.js';
import { memoryOf, NOW_TEXT } from './memories.js';

const open: MemoryFilter = {
  tags: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: NOW_TEXT,
};
const tagged = memoryOf(1, { tags: ['Project/Foo:Bar', 'deploy'] });
const byTags = (values: readonly string[], overrides: Partial<TagFilter> = {}): boolean =>
  admits({ ...open, tags: { values, mode: 'any', match: 'prefix', ...overrides } }, tagged);
const excluding = (...excludeTags: readonly string[]): boolean => admits({ ...open, excludeTags }, tagged);

describe('a filter applied to a memory', () => {
  it('admits by whole parts of a tag, in any case, whichever the delimiter', () => {
    expect(byTags(['project'])).to.equal(true);
    expect(byTags(['PROJECT:foo'])).to.equal(true);
    expect(byTags(['project/foo/bar'])).to.equal(true);
    expect(byTags(['proj'])).to.equal(false);
    expect(byTags(['foo'])).to.equal(false);
  });

  it('admits by whole tags as they are written when the match is exact', () => {
    expect(byTags(['project/foo:bar'], { match: 'exact' })).to.equal(true);
    expect(byTags(['project'], { match: 'exact' })).to.equal(false);
  });

  it('asks for any tag or for all of them', () => {
    expect(byTags(['deploy', 'other'])).to.equal(true);
    expect(byTags(['deploy', 'other'], { mode: 'all' })).to.equal(false);
    expect(byTags(['deploy', 'project'], { mode: 'all' })).to.equal(true);
  });

  it('excludes by the beginning of a tag', () => {
    expect(excluding('dep')).to.equal(false);
    expect(excluding('project:f')).to.equal(false);
    expect(excluding('PROJECT/FOO')).to.equal(false);
    expect(excluding('foo', ' ')).to.equal(true);
  });

  it('admits both ends of the window', () => {
    const memory = memoryOf(1, { timestamp: '2024-01-01T00:00:00+00:00' });
    expect(admits({ ...open, start: memory.timestamp, end: memory.timestamp }, memory)).to.equal(true);
    expect(admits({ ...open, start: '2024-01-01T00:00:00.000001+00:00' }, memory)).to.equal(false);
    expect(admits({ ...open, end: '2023-12-31T23:59:59.999999+00:00' }, memory)).to.equal(false);
  });

  it('keeps out excluded types', () => {
    expect(admits({ ...open, excludedTypes: ['MetaPattern'] }, memoryOf(1, { type: 'MetaPattern' }))).to.equal(false);
  });

  it('keeps out what is archived in history, and leaves it to the state stage in current mode', () => {
    const archived = memoryOf(1, { archived: true });
    expect(admits({ ...open, state: 'unarchived' }, archived)).to.equal(false);
    expect(admits(open, archived)).to.equal(true);
  });
});
