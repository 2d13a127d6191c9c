/** Searches of every graph by the words of metadata. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import { METADATA_HOLDERS } from '../../../shared/contract/limits.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import { METADATA_WEIGHT } from '../../../shared/ports/graph.js';
import { metadataValues, searchWords } from '../../../shared/text/metadata-values.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { admits, randomFilter, randomMemories, some } from '../../support/checks/reference-filter.js';
import { day, deleted, memory, memoryId, stored, updated } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};
const MEMORIES = 200;
const ROUNDS = 60;
const PROJECTS = ['atlas', 'Atlas Core', 'borealis', 'core/borealis', 'délta', '東京 core'] as const;
const WORDS = ['atlas', 'core', 'borealis', 'delta', '東京', 'nothing'] as const;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph metadata search: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const store = (...memories: Memory[]): Promise<void> => graph.writer.apply(memories.map((each) => stored(each)));
    const search = async (words: readonly string[], filter = ALL, limit = 1_000): Promise<readonly MemoryId[]> =>
      (await graph.reader.metadata({ words, filter, limit })).map(({ id }) => id);

    it('finds the admitted memories in the order of the port', async () => {
      const random = seededRandom(11);
      const memories = randomMemories(MEMORIES, random).map((each) => ({
        ...each,
        metadata: { project: random.pick(PROJECTS), tool: some(random, PROJECTS, 2) },
      }));
      await store(...memories);
      const wordsOf = new Map(memories.map((each) => [each.id, new Set(searchWords(metadataValues(each.metadata)))]));
      const holds = ({ id }: Memory, word: string): boolean => wordsOf.get(id)?.has(word) ?? false;
      for (let round = 0; round < ROUNDS; round += 1) {
        const filter = randomFilter(random);
        const words = [...new Set([random.pick(WORDS), ...some(random, WORDS, 3)])];
        const limit = random.pick([1, 10, MEMORIES]);
        const weights = new Map(
          words.map((word) => [
            word,
            Math.floor(METADATA_WEIGHT / memories.filter((each) => holds(each, word) && admits(filter, each)).length),
          ]),
        );
        const weigh = (each: Memory): number =>
          words.filter((word) => holds(each, word)).reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
        const expected = memories
          .filter((each) => weigh(each) > 0 && admits(filter, each))
          .sort(
            (one, other) =>
              weigh(other) - weigh(one) ||
              other.importance - one.importance ||
              compare(other.timestamp, one.timestamp) ||
              compare(one.id, other.id),
          );
        expect(await search(words, filter, limit), JSON.stringify({ words, filter, limit })).to.deep.equal(
          expected.slice(0, limit).map(({ id }) => id),
        );
      }
    });

    it('returns the searched values', async () => {
      await store(
        memory(1, {
          metadata: { project: 'Atlas/Core', title: 'Atlas', entities: { tools: ['Redis'], people: ['Ann Atlas'] } },
        }),
      );
      const [hit] = await graph.reader.metadata({ words: ['atlas'], filter: ALL, limit: 1 });
      expect(hit).to.deep.equal({
        id: memoryId(1),
        values: [
          { field: 'project', text: 'atlas core' },
          { field: 'entities', text: 'redis' },
        ],
      });
    });

    it('follows updates and deletions', async () => {
      await store(
        memory(1, { metadata: { project: 'atlas' } }),
        memory(2, { metadata: { project: 'atlas' } }),
        memory(3),
      );
      await graph.writer.apply([
        updated(memory(2, { metadata: { project: 'atlas' }, importance: 0.9 }), 2),
        updated(memory(3, { metadata: { tool: 'atlas' } }), 2),
      ]);
      expect(await search(['atlas'])).to.deep.equal([2, 1, 3].map(memoryId));
      await graph.writer.apply([
        updated(memory(2, { metadata: { project: 'borealis' }, importance: 0.9 }), 3),
        deleted(1, 2),
        updated(memory(3), 3),
      ]);
      expect(await search(['atlas'])).to.deep.equal([]);
      expect(await search(['borealis'])).to.deep.equal([memoryId(2)]);
    });

    it('stays the same after a repeated event', async () => {
      const event = stored(memory(1, { metadata: { project: 'atlas' } }));
      await graph.writer.apply([event, event]);
      await graph.writer.apply([event]);
      expect(await search(['atlas'])).to.deep.equal([memoryId(1)]);
    });

    it('searches a word literally, with any punctuation', async () => {
      await store(memory(1, { metadata: { project: 'atlas' } }));
      for (const word of ['"', "'", '%', '*', 'atl*', '\\', 'AND', ''])
        expect(await search([word]), word).to.deep.equal([]);
    });

    it('considers the most important holders of a very common word', async () => {
      const many = Array.from({ length: METADATA_HOLDERS }, (_, index) =>
        memory(index + 1, { metadata: { tool: 'common' }, importance: 0.5 }),
      );
      const [first, last] = [
        memory(8_001, { metadata: { tool: 'common' }, importance: 0.6 }),
        memory(8_002, { metadata: { tool: 'common rare' }, importance: 0.1 }),
      ];
      await store(...many, first, last);
      expect(await search(['common'], ALL, 1)).to.deep.equal([first.id]);
      expect(await search(['common', 'rare'], ALL, 2)).to.deep.equal([last.id, first.id]);
    });
  });
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
