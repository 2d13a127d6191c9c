/** Reads of every graph by tags and associations. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import {
  associated,
  association,
  day,
  deleted,
  memory,
  memoryId,
  stored,
  superseded,
} from '../../support/fixtures/memories.js';

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const apply = (...events: RecordedEvent[]): Promise<void> => graph.writer.apply(events);
    const memories = (...numbers: number[]): RecordedEvent[] => numbers.map((number) => stored(memory(number)));

    describe('by tag', () => {
      const page = async (tags: string[], offset = 0, limit = 10) => {
        const { memories: found, hasMore } = await graph.reader.byTag({ tags, offset, limit });
        return { numbers: found.map((each) => Number(each.memory.id.slice(-4))), hasMore };
      };

      it('orders by importance, then timestamp, both descending, then id', async () => {
        const places = [
          [0.5, 1],
          [0.9, 1],
          [0.5, 3],
          [0.5, 3],
          [1, 1],
        ] as const;
        await apply(
          ...places.map(([importance, at], index) =>
            stored(memory(9 - index, { tags: ['t'], importance, timestamp: day(at) })),
          ),
        );
        expect((await page(['t'])).numbers).to.deep.equal([5, 8, 6, 7, 9]);
      });

      it('pages without gaps or repeats and reports hasMore', async () => {
        await apply(...[1, 2, 3, 4, 5].map((number) => stored(memory(number, { tags: ['t'] }))));
        expect(await page(['t'], 0, 2)).to.deep.equal({ numbers: [1, 2], hasMore: true });
        expect(await page(['t'], 2, 3)).to.deep.equal({ numbers: [3, 4, 5], hasMore: false });
        expect(await page(['t'], 9, 2)).to.deep.equal({ numbers: [], hasMore: false });
      });

      it('compares whole tags ignoring case, with delimiters as written', async () => {
        await apply(
          stored(memory(1, { tags: ['Project/Foo'] })),
          stored(memory(2, { tags: ['project:foo'] })),
          stored(memory(3, { tags: ['project'] })),
        );
        expect((await page(['PROJECT/foo'])).numbers).to.deep.equal([1]);
        expect((await page([' project:FOO '])).numbers).to.deep.equal([2]);
        expect((await page(['project'])).numbers).to.deep.equal([3]);
        expect((await page(['ÄRGER'])).numbers).to.deep.equal([]);
      });

      it('returns a memory with several of the tags once', async () => {
        await apply(stored(memory(1, { tags: ['a', 'b', 'A'] })), stored(memory(2, { tags: ['b'], importance: 0.9 })));
        expect(await page(['a', 'b', 'A'], 0, 2)).to.deep.equal({ numbers: [2, 1], hasMore: false });
      });

      it('filters by a tag above others before the page', async () => {
        const own = ['Agent/Alice', 'agent:alice:work', 'agent:alice2', 'agent'];
        await apply(
          ...own.map((tag, index) => stored(memory(index + 1, { tags: ['t', tag] }))),
          stored(memory(5, { tags: ['other', 'agent:alice'] })),
        );
        const request = { tags: ['t'], within: 'agent:alice' };
        const { memories: first, hasMore } = await graph.reader.byTag({ ...request, offset: 0, limit: 1 });
        expect([first.map((each) => each.memory.id), hasMore]).to.deep.equal([[memoryId(1)], true]);
        const second = await graph.reader.byTag({ ...request, tags: ['t', 'unknown'], offset: 1, limit: 1 });
        expect([second.memories.map((each) => each.memory.id), second.hasMore]).to.deep.equal([[memoryId(2)], false]);
        const ids = (after: string) => graph.reader.idsByTag({ ...request, after, limit: 1 });
        expect(await ids(memoryId(1))).to.deep.equal([memoryId(2)]);
        expect(await ids(memoryId(2))).to.deep.equal([]);
      });

      it('lists ids in ascending order after a given id', async () => {
        await apply(...[4, 2, 9, 7].map((number) => stored(memory(number, { tags: [number === 9 ? 'b' : 'a'] }))));
        const ids = (after: string, limit: number) => graph.reader.idsByTag({ tags: ['A', 'b'], after, limit });
        expect(await ids('', 2)).to.deep.equal([memoryId(2), memoryId(4)]);
        expect(await ids(memoryId(4), 5)).to.deep.equal([memoryId(7), memoryId(9)]);
      });
    });

    describe('relations', () => {
      const around = async (
        number: number,
        options: {
          direction?: 'outgoing' | 'both';
          types?: ['LEADS_TO'];
          minStrength?: number;
          excludedTypes?: string[];
          within?: string;
          limit?: number;
        } = {},
      ) => {
        const found = await graph.reader.relations({
          ids: [memoryId(number)],
          direction: 'both',
          limit: 10,
          ...options,
        });
        return (found.get(memoryId(number)) ?? []).map(
          ({ type, direction, memory: other }) => `${direction} ${type} ${Number(other.id.slice(-4))}`,
        );
      };

      it('returns both directions by newest, then type, then other id', async () => {
        await apply(
          ...memories(1, 2, 3, 4),
          associated(association(1, 3)),
          associated(association(1, 2)),
          associated(association(4, 1, { updated_at: day(5) })),
          associated(association(1, 4, { type: 'LEADS_TO' })),
        );
        expect(await around(1)).to.deep.equal([
          'incoming RELATES_TO 4',
          'outgoing LEADS_TO 4',
          'outgoing RELATES_TO 2',
          'outgoing RELATES_TO 3',
        ]);
        expect(await around(1, { limit: 2 })).to.deep.equal(['incoming RELATES_TO 4', 'outgoing LEADS_TO 4']);
        expect(await around(1, { direction: 'outgoing', types: ['LEADS_TO'] })).to.deep.equal(['outgoing LEADS_TO 4']);
        expect(await around(4, { direction: 'outgoing' })).to.deep.equal(['outgoing RELATES_TO 1']);
      });

      it('applies minStrength before the limit', async () => {
        await apply(
          ...memories(1, 2, 3),
          associated(association(1, 2, { strength: 0.6 })),
          associated(association(3, 1, { strength: 0.59, updated_at: day(5) })),
        );
        expect(await around(1, { minStrength: 0.6, limit: 1 })).to.deep.equal(['outgoing RELATES_TO 2']);
        expect(await around(1, { minStrength: 0.59, limit: 1 })).to.deep.equal(['incoming RELATES_TO 3']);
        expect(await around(1, { minStrength: 0.61 })).to.deep.equal([]);
      });

      it('applies excludedTypes before the limit', async () => {
        await apply(
          ...memories(1, 2),
          stored(memory(3, { type: 'Style' })),
          associated(association(1, 2)),
          associated(association(3, 1, { updated_at: day(5) })),
        );
        expect(await around(1, { limit: 1 })).to.deep.equal(['incoming RELATES_TO 3']);
        expect(await around(1, { excludedTypes: ['Style', 'MetaPattern'], limit: 1 })).to.deep.equal([
          'outgoing RELATES_TO 2',
        ]);
      });

      it('have both ends within the tag, before the limit', async () => {
        await apply(
          stored(memory(1, { tags: ['agent:alice'] })),
          stored(memory(2, { tags: ['Agent/Alice/work'] })),
          stored(memory(3, { tags: ['agent:alice2'] })),
          associated(association(1, 2)),
          associated(association(3, 1, { updated_at: day(5) })),
        );
        const steps = async (number: number) => {
          const found = await graph.reader.steps({ ids: [memoryId(number)], within: 'agent:alice', limit: 1 });
          return (found.get(memoryId(number)) ?? []).map(({ memory: other }) => other.id);
        };
        expect(await around(1, { limit: 1 })).to.deep.equal(['incoming RELATES_TO 3']);
        expect(await around(1, { within: 'agent:alice', limit: 1 })).to.deep.equal(['outgoing RELATES_TO 2']);

        expect(await around(3, { within: 'agent:alice' })).to.deep.equal([]);
        expect([await steps(1), await steps(3)]).to.deep.equal([[memoryId(2)], []]);
      });

      it('applies the limit to each id, and returns an empty list for none', async () => {
        await apply(
          ...memories(1, 2, 3),
          associated(association(1, 2)),
          associated(association(1, 3)),
          associated(association(2, 3)),
        );
        const found = await graph.reader.relations({ ids: [1, 2, 3].map(memoryId), direction: 'outgoing', limit: 1 });
        expect([1, 2, 3].map((number) => found.get(memoryId(number))?.length)).to.deep.equal([1, 1, 0]);
      });

      it('are found by type among memories, each once', async () => {
        await apply(
          ...memories(1, 2, 3),
          associated(association(1, 2, { type: 'CONTRADICTS' })),
          associated(association(2, 1, { type: 'CONTRADICTS' })),
          associated(association(1, 2)),
          superseded(1, 3),
        );
        const among = async (...numbers: number[]) => {
          const ids = numbers.map(memoryId);
          const found = await graph.reader.among({ ids, types: ['CONTRADICTS', 'INVALIDATED_BY'] });
          return found.map(({ source, type, target }) => `${source.slice(-1)} ${type} ${target.slice(-1)}`).sort();
        };
        expect(await among(1, 2, 2, 9)).to.deep.equal(['1 CONTRADICTS 2', '2 CONTRADICTS 1']);
        expect(await among(3, 1)).to.deep.equal(['1 INVALIDATED_BY 3']);
        expect(await among(2, 3)).to.deep.equal([]);
        expect(await among(1)).to.deep.equal([]);
        await apply(deleted(2, 3));
        expect(await among(1, 2)).to.deep.equal([]);
      });

      it('returns the association with a summary of the other memory', async () => {
        const properties = { reason: 'because', list: [1] };
        await apply(
          ...memories(1),
          stored(memory(2, { content: `${'x'.repeat(156)}😀yyyy`, tags: ['a', 'b', 'c', 'd', 'e', 'f'] })),
        );
        await apply(associated(association(1, 2, { strength: 0.7, properties, updated_at: day(2) })));
        const [relation] =
          (await graph.reader.relations({ ids: [memoryId(1)], direction: 'outgoing', limit: 1 })).get(memoryId(1)) ??
          [];
        expect(relation).to.deep.equal({
          type: 'RELATES_TO',
          direction: 'outgoing',
          strength: 0.7,
          created_at: day(1),
          updated_at: day(2),
          properties,
          memory: {
            id: memoryId(2),
            type: 'Context',
            timestamp: day(1),
            content: `${'x'.repeat(156)}😀…`,
            importance: 0.5,
            confidence: 0.9,
            tags: ['a', 'b', 'c', 'd', 'e'],
          },
        });
      });

      it('returns an association that is older than its memories', async () => {
        await apply(associated(association(1, 2)), ...memories(1));
        expect(await around(1)).to.deep.equal([]);
        expect(await graph.reader.memories([memoryId(2)])).to.deep.equal([]);
        await apply(...memories(2));
        expect(await around(1)).to.deep.equal(['outgoing RELATES_TO 2']);
      });
    });
  });
}
