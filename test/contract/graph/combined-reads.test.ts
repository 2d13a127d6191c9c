/** Several searches in one call, and lineages, of every graph: the results equal the results of separate calls. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import { SUCCESSOR_LIMIT } from '../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { day, deleted, memory, memoryId, stored, superseded } from '../../support/fixtures/memories.js';

const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: day(15),
};
const LAPSED: MemoryFilter = { ...ALL, state: 'lapsed' };
const HOPS = 5;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph combined reads: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    it('returns the results of separate searches, in their order', async () => {
      const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
      await graph.writer.apply(
        numbers.map((number) =>
          stored(
            memory(number, {
              content: number % 2 === 0 ? 'an even note' : 'an odd remark',
              metadata: number % 5 === 0 ? { project: 'atlas' } : {},
              importance: number / 40,
              ...(number % 4 === 0 ? { t_invalid: day(2) } : {}),
            }),
          ),
        ),
      );
      const keyword = [
        [['even'], ALL],
        [['even'], LAPSED],
        [['odd', 'note'], ALL],
        [['absent'], ALL],
        [['even'], ALL],
      ].map(([terms, filter], index) => ({
        terms: terms as string[],
        filter: filter as MemoryFilter,
        limit: 3 + index,
      }));
      const metadata = [ALL, LAPSED].map((filter) => ({ words: ['atlas', 'nothing'], filter, limit: 4 }));
      const found = await graph.reader.search({ keyword, metadata });
      expect(found.keyword).to.deep.equal(await Promise.all(keyword.map((search) => graph.reader.keyword(search))));
      expect(found.metadata).to.deep.equal(await Promise.all(metadata.map((search) => graph.reader.metadata(search))));
      expect(found.keyword.map((ids) => ids.length)).to.deep.equal([3, 4, 5, 0, 7]);
      expect(found.metadata.map((hits) => hits.length)).to.deep.equal([4, 2]);
    });

    it('returns nothing for no searches', async () => {
      const nothing = { keyword: [], metadata: [] };
      expect(await graph.reader.search(nothing)).to.deep.equal(nothing);
    });

    it('reads memories with their successions and successors', async () => {
      const numbers = [1, 2, 3, 4, 5, 6, 7];
      await graph.writer.apply([
        ...numbers.map((number) => stored(memory(number))),
        superseded(1, 2),
        superseded(2, 3),
        superseded(5, 6),
        superseded(5, 7),
      ]);
      await graph.writer.apply([deleted(7, 2)]);
      const ids = [4, 1, 5, 99, 6].map(memoryId);
      const { memories, successions, successors } = await graph.reader.lineages(ids, HOPS);
      expect(memories).to.deep.equal(await graph.reader.memories(ids));
      expect(bySource(successions)).to.deep.equal(bySource(await graph.reader.successions(ids, HOPS)));
      expect(successors.map(({ memory: { id } }) => id).sort()).to.deep.equal([2, 3].map(memoryId));
      expect(successors[0]).to.deep.equal((await graph.reader.memories([successors[0]?.memory.id ?? memoryId(0)]))[0]);
    });

    it('reads at most SUCCESSOR_LIMIT successors', async () => {
      const numbers = Array.from({ length: SUCCESSOR_LIMIT + 10 }, (_, index) => index + 2);
      await graph.writer.apply([1, ...numbers].map((number) => stored(memory(number))));
      await graph.writer.apply(numbers.map((number) => superseded(1, number)));
      const { successions, successors } = await graph.reader.lineages([memoryId(1)], HOPS);
      expect(successions).to.have.length(numbers.length);
      expect(successors).to.have.length(SUCCESSOR_LIMIT);
    });

    it('reads no lineage without memories', async () => {
      expect(await graph.reader.lineages([], HOPS)).to.deep.equal({ memories: [], successions: [], successors: [] });
    });
  });
}

function bySource<S extends { readonly source: string; readonly target: string }>(
  successions: readonly S[],
): readonly S[] {
  return [...successions].sort((one, other) =>
    `${one.source} ${one.target}` < `${other.source} ${other.target}` ? -1 : 1,
  );
}
