/** Listings of every graph, compared with a filter and a sort of all memories. */
import { expect } from 'chai';
import { LIST_SORTS, type ListSort } from '../../../shared/contract/filter.js';
import { LIST_FACETS_LIMIT, LIST_SCAN_LIMIT } from '../../../shared/contract/limits.js';
import type { Memory } from '../../../shared/contract/memory.js';
import type { ListFilter, ListPosition } from '../../../shared/ports/graph-inspector.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { day, deleted, memory, memoryId, stored } from '../../support/fixtures/memories.js';

const ALL: ListFilter = {
  tags: null,
  within: null,
  types: null,
  excludedTypes: [],
  since: null,
  until: null,
  minImportance: 0,
};
const MEMORIES = 90;
const PAGE = 7;
const MANY = Array.from({ length: MEMORIES }, (_, index) => index + 1);
const TYPES = ['Context', 'Insight', 'Decision', 'MetaPattern'] as const;

/** Many memories share a timestamp, an update and an importance. */
const shown = (number: number): Memory =>
  memory(number, {
    importance: [0.5, 0.5, 0.8, 0, 0.123_456_789][number % 5] ?? 0,
    timestamp: day(1 + (number % 6)),
    updated_at: day(20 - (number % 4)),
    type: TYPES[number % 4] ?? 'Context',
    tags: ['Team/Red', ...(number % 2 === 0 ? ['even', 'EVEN'] : []), ...(number % 3 === 0 ? ['three:times'] : [])],
    archived: number % 7 === 0,
  });

const exactly = (mode: 'any' | 'all', ...values: string[]) => ({ values, mode, match: 'exact' }) as const;
const FILTERS: Readonly<Record<string, { readonly filter: Partial<ListFilter>; admits: (each: Memory) => boolean }>> = {
  nothing: { filter: {}, admits: () => true },
  'an excluded type': {
    filter: { excludedTypes: ['MetaPattern'] },
    admits: ({ type }) => type !== 'MetaPattern',
  },
  types: {
    filter: { types: ['Insight', 'MetaPattern'], excludedTypes: ['MetaPattern'] },
    admits: ({ type }) => type === 'Insight',
  },
  'any tag': { filter: { tags: exactly('any', 'even', 'none') }, admits: ({ tags }) => tags.includes('even') },
  'all tags': {
    filter: { tags: exactly('all', 'EVEN', 'three:times') },
    admits: ({ tags }) => tags.includes('even') && tags.includes('three:times'),
  },
  'a prefix of a tag': {
    filter: { tags: { values: ['three'], mode: 'any', match: 'prefix' } },
    admits: ({ tags }) => tags.includes('three:times'),
  },
  'the tag of a key and a tag': {
    filter: { within: 'three', tags: exactly('any', 'even') },
    admits: ({ tags }) => tags.includes('even') && tags.includes('three:times'),
  },
  'a half-open time': {
    filter: { since: day(2), until: day(5) },
    admits: ({ timestamp }) => timestamp >= day(2) && timestamp < day(5),
  },
  'an importance': { filter: { minImportance: 0.5 }, admits: ({ importance }) => importance >= 0.5 },
  everything: {
    filter: { types: ['Context', 'Decision'], tags: exactly('any', 'even'), since: day(2), minImportance: 0.1 },
    admits: ({ type, tags, timestamp, importance }) =>
      ['Context', 'Decision'].includes(type) && tags.includes('even') && timestamp >= day(2) && importance >= 0.1,
  },
  'no memory': { filter: { types: ['Style'] }, admits: () => false },
};

const COMPARE: Readonly<Record<ListSort, (one: Memory, other: Memory) => number>> = {
  newest: (one, other) => compare(other.timestamp, one.timestamp),
  oldest: (one, other) => compare(one.timestamp, other.timestamp),
  importance: (one, other) => other.importance - one.importance || compare(other.timestamp, one.timestamp),
  updated: (one, other) => compare(other.updated_at, one.updated_at),
};
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

for (const adapter of GRAPH_ADAPTERS) {
  describe(`listings: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply(MANY.map((number) => stored(shown(number))));
      await graph.writer.apply([deleted(6, 2)]);
    });
    after(() => graph.close());

    const present = MANY.filter((number) => number !== 6).map(shown);

    async function walk(filter: ListFilter, sort: ListSort): Promise<readonly Memory[]> {
      const found: Memory[] = [];
      for (let after: ListPosition | null = null; ;) {
        const { memories, next } = await graph.inspector.listed({ filter, sort, after, limit: PAGE });
        found.push(...memories);
        expect(found.length).to.be.at.most(MEMORIES);
        if (next === null) return found;
        after = next;
      }
    }

    for (const [name, { filter, admits }] of Object.entries(FILTERS)) {
      it(`reads each memory once, in every order: ${name}`, async () => {
        for (const sort of LIST_SORTS) {
          const expected = present
            .filter(admits)
            .sort((one, other) => COMPARE[sort](one, other) || compare(one.id, other.id));
          const found = await walk({ ...ALL, ...filter }, sort);
          expect(
            found.map(({ id }) => id),
            sort,
          ).to.deep.equal(expected.map(({ id }) => id));
        }
      });

      it(`counts by type and by whole tag: ${name}`, async () => {
        const { types, tags, counted, isPartial } = await graph.inspector.facets({
          filter: { ...ALL, ...filter },
          sort: 'newest',
        });
        const admitted = present.filter(admits);
        expect([counted, isPartial]).to.deep.equal([admitted.length, false]);
        expect(types.map(({ type, count }) => [type, count])).to.deep.equal(
          frequencies(admitted.map((each) => [each.type])),
        );
        expect(tags.map(({ tag, count }) => [tag, count])).to.deep.equal(
          frequencies(admitted.map((each) => [...new Set(each.tags.map((tag) => tag.toLowerCase()))])),
        );
      });
    }

    it('returns whole memories', async () => {
      const { memories } = await graph.inspector.listed({ filter: ALL, sort: 'oldest', after: null, limit: 3 });
      const loaded = await graph.reader.memories(memories.map(({ id }) => id));
      expect(memories).to.deep.equal(loaded.map((each) => each.memory));
    });

    it('continues after a place whose memory does not exist', async () => {
      const after = [0.5, day(3), memoryId(9_999)];
      const { memories } = await graph.inspector.listed({ filter: ALL, sort: 'importance', after, limit: 1 });
      const place = memory(9_999, { importance: 0.5, timestamp: day(3) });
      const [first] = present
        .sort((one, other) => COMPARE.importance(one, other) || compare(one.id, other.id))
        .filter((each) => (COMPARE.importance(each, place) || compare(each.id, place.id)) > 0);
      expect(memories.map(({ id }) => id)).to.deep.equal([first?.id]);
    });
  });

  describe(`long listings: ${adapter.name}`, function () {
    this.timeout(180_000);
    let graph: OpenGraph;
    const SPREAD = LIST_SCAN_LIMIT + 6_000;
    before(async () => {
      graph = await adapter.open();
      const numbers = Array.from({ length: SPREAD }, (_, index) => index + 1);
      for (let from = 0; from < SPREAD; from += 500)
        await graph.writer.apply(
          numbers.slice(from, from + 500).map((number) =>
            stored(
              memory(number, {
                type: number <= SPREAD / 2 ? 'Context' : 'Insight',
                tags: [number <= SPREAD / 2 ? 'early' : 'late'],
                timestamp: day(1 + Math.floor(number / 100)),
                importance: number === 1 ? 1 : 0.5,
              }),
            ),
          ),
        );
    });
    after(() => graph.close());

    /** No engine has an index for each of them in each order. */
    const RARE: readonly (readonly [filter: Partial<ListFilter>, found: number])[] = [
      [{ types: ['Insight'], tags: exactly('any', 'early') }, 0],
      [{ minImportance: 0.9 }, 1],
      [{ since: day(101), until: day(102) }, 100],
    ];
    for (const sort of LIST_SORTS)
      it(`end a page at the bound of what it reads: ${sort}`, async () => {
        let partial = 0;
        for (const [part, expected] of RARE) {
          const filter = { ...ALL, ...part };
          const first = await graph.inspector.listed({ filter, sort, after: null, limit: 100 });
          const found = [...first.memories];
          for (let after = first.next; after !== null;) {
            const page = await graph.inspector.listed({ filter, sort, after, limit: 100 });
            found.push(...page.memories);
            after = page.next;
          }
          expect(found).to.have.length(expected);
          const { isPartial } = await graph.inspector.facets({ filter, sort });
          expect(isPartial).to.equal(first.next !== null);
          partial += Number(isPartial);
        }
        expect(partial).to.be.greaterThan(0);
      });

    it('read each memory once in many pages', async () => {
      const filter = { ...ALL, types: ['Context'], tags: exactly('any', 'early') };
      const found: string[] = [];
      let pages = 0;
      for (let after: ListPosition | null = null; ; pages += 1) {
        const page = await graph.inspector.listed({ filter, sort: 'newest', after, limit: 100 });
        found.push(...page.memories.map(({ id }) => id));
        if (page.next === null) break;
        after = page.next;
      }
      expect(new Set(found).size).to.equal(SPREAD / 2);
      expect(found.length).to.equal(SPREAD / 2);
    });

    it('count the first memories alone', async () => {
      const { counted, isPartial, tags } = await graph.inspector.facets({ filter: ALL, sort: 'newest' });
      expect([counted, isPartial, tags]).to.deep.equal([
        LIST_FACETS_LIMIT,
        true,
        [{ tag: 'late', count: LIST_FACETS_LIMIT }],
      ]);
    });
  });
}

/** Most frequent first, then by name. */
function frequencies(lists: readonly (readonly string[])[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one, count], [other, otherCount]) => otherCount - count || compare(one, other));
}
