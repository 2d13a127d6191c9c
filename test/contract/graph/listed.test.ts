/** Listings of every graph, compared with a filter and a sort of all memories. */
import { expect } from 'chai';
import { LIST_SORTS, type ListSort } from '../../../shared/contract/filter.js';
import { LIST_FACET_TAGS, LIST_FACETS_LIMIT, LIST_SCAN_LIMIT } from '../../../shared/contract/limits.js';
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
  terms: [],
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
    content: `Note ${number} about the ${number % 4 === 0 ? 'cedar and the gate' : 'gate'}`,
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
  words: {
    filter: { terms: ['gate', 'cedar'] },
    admits: ({ content }) => content.includes('cedar'),
  },
  'a word of the content and one of a tag': {
    filter: { terms: ['cedar', 'three'] },
    admits: ({ content, tags }) => content.includes('cedar') && tags.includes('three:times'),
  },
  'a word that is only a part of others': { filter: { terms: ['ceda'] }, admits: () => false },
  'words with every other part': {
    filter: {
      ...{ terms: ['cedar'], types: ['Context', 'Decision'], tags: exactly('any', 'even'), within: 'team' },
      ...{ since: day(2), until: day(6), minImportance: 0.1, excludedTypes: ['MetaPattern'] },
    },
    admits: ({ content, type, timestamp, importance }) =>
      content.includes('cedar') && type === 'Context' && timestamp >= day(2) && timestamp < day(6) && importance >= 0.1,
  },
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
/** Many memories have one time: the indexes of Neo4j have times and ids in one direction. */
const compareIds = (sort: ListSort, one: Memory, other: Memory): number =>
  sort === 'updated' || sort === 'newest' ? compare(other.id, one.id) : compare(one.id, other.id);
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
            .sort((one, other) => COMPARE[sort](one, other) || compareIds(sort, one, other));
          const found = await walk({ ...ALL, ...filter }, sort);
          expect(
            found.map(({ id }) => id),
            sort,
          ).to.deep.equal(expected.map(({ id }) => id));
        }
      });

      it(`counts by type and by whole tag: ${name}`, async () => {
        const { types, tags, dates, counted, isPartial } = await graph.inspector.facets({
          filter: { ...ALL, ...filter },
          sort: 'newest',
        });
        const admitted = present.filter(admits);
        expect([counted, isPartial]).to.deep.equal([admitted.length, false]);
        expect(new Map(dates.map(({ date, count }) => [date, count]))).to.deep.equal(
          new Map(frequencies(admitted.map(({ timestamp }) => [timestamp.slice(0, 10)]))),
        );
        expect(dates.map(({ date }) => date)).to.deep.equal(dates.map(({ date }) => date).sort());
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
                content: number <= 10 ? `rare ${number}` : `Note ${number}`,
                type: number <= SPREAD / 2 ? 'Context' : 'Insight',
                tags: [number <= SPREAD / 2 ? 'early' : 'late', `own:${number}`, `also:${number}`],
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

    it('find rare words anywhere, and end a page of common ones at the bound', async () => {
      const rare = { filter: { ...ALL, terms: ['rare'] }, sort: 'newest', after: null, limit: 100 } as const;
      const { memories, next } = await graph.inspector.listed(rare);
      expect([memories.length, next]).to.deep.equal([10, null]);
      expect(await graph.inspector.facets(rare)).to.include({ counted: 10, isPartial: false });
      const common = { ...ALL, terms: ['note'], types: ['Insight'], tags: exactly('any', 'early') };
      const first = await graph.inspector.listed({ filter: common, sort: 'newest', after: null, limit: 100 });
      expect(first.memories).to.deep.equal([]);
      expect(await graph.inspector.facets({ filter: common, sort: 'newest' })).to.include({ counted: 0 });
    });

    it('read each memory once in many pages', async () => {
      const filter = { ...ALL, types: ['Context'], tags: exactly('any', 'early'), terms: ['note'] };
      const found: string[] = [];
      let pages = 0;
      for (let after: ListPosition | null = null; ; pages += 1) {
        const page = await graph.inspector.listed({ filter, sort: 'newest', after, limit: 100 });
        found.push(...page.memories.map(({ id }) => id));
        if (page.next === null) break;
        after = page.next;
      }
      expect(new Set(found).size).to.equal(SPREAD / 2 - 10);
      expect(found.length).to.equal(SPREAD / 2 - 10);
    });

    it('count the first memories alone, and the most used of 10,000 tags', async () => {
      const { counted, isPartial, tags } = await graph.inspector.facets({ filter: ALL, sort: 'newest' });
      expect([counted, isPartial, tags.length]).to.deep.equal([LIST_FACETS_LIMIT, true, LIST_FACET_TAGS]);
      expect(tags[0]).to.deep.equal({ tag: 'late', count: LIST_FACETS_LIMIT });
      expect(tags.slice(1).every(({ count }) => count === 1)).to.equal(true);
    });
  });
}

/** Most frequent first, then by name. */
function frequencies(lists: readonly (readonly string[])[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one, count], [other, otherCount]) => otherCount - count || compare(one, other));
}
