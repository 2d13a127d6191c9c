/** Reads of every graph by successions: the memories that supersede others. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import {
  associated,
  association,
  day,
  memory,
  memoryId,
  stored,
  superseded,
  updated,
} from '../../support/fixtures/memories.js';

for (const adapter of GRAPH_ADAPTERS) {
  describe(`graph: ${adapter.name}`, () => {
    let graph: OpenGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const apply = (...events: RecordedEvent[]): Promise<void> => graph.writer.apply(events);
    const memories = (...numbers: number[]): RecordedEvent[] => numbers.map((number) => stored(memory(number)));

    describe('successions', () => {
      const reach = async (from: number[], hops: number): Promise<string[]> => {
        const found = await graph.reader.successions(from.map(memoryId), hops);
        return found.map(({ source, target }) => `${Number(source.slice(-4))}>${Number(target.slice(-4))}`).sort();
      };

      it('follow superseding associations over at most `hops`', async () => {
        await apply(
          ...memories(1, 2, 3, 4, 5),
          superseded(1, 2),
          superseded(2, 3, 'EVOLVED_INTO'),
          superseded(3, 4),
          associated(association(1, 5)),
        );
        expect(await reach([1], 1)).to.deep.equal(['1>2']);
        expect(await reach([1], 2)).to.deep.equal(['1>2', '2>3']);
        expect(await reach([1], 5)).to.deep.equal(['1>2', '2>3', '3>4']);
        expect(await reach([4], 5)).to.deep.equal([]);
        expect(await reach([3, 1], 1)).to.deep.equal(['1>2', '3>4']);
      });

      it('end in a cycle, and contain each association once', async () => {
        await apply(
          ...memories(1, 2, 3, 4),
          superseded(1, 2),
          superseded(2, 1),
          superseded(1, 3),
          superseded(2, 4),
          superseded(3, 4),
          superseded(4, 1),
        );
        expect(await reach([1, 2], 50)).to.deep.equal(['1>2', '1>3', '2>1', '2>4', '3>4', '4>1']);
      });

      it('contain the state of the target', async () => {
        const target = memory(2, { archived: true, t_valid: day(2), t_invalid: day(3) });
        await apply(
          ...memories(1),
          stored(target),
          associated(association(1, 2, { type: 'EVOLVED_INTO', strength: 0.8, updated_at: day(4) })),
        );
        const ids: MemoryId[] = [memoryId(1)];
        expect(await graph.reader.successions(ids, 1)).to.deep.equal([
          {
            source: memoryId(1),
            target: memoryId(2),
            type: 'EVOLVED_INTO',
            strength: 0.8,
            updated_at: day(4),
            targetState: { archived: true, t_valid: day(2), t_invalid: day(3) },
          },
        ]);
        await apply(updated(memory(2), 2));
        expect((await graph.reader.successions(ids, 1))[0]?.targetState).to.deep.equal({});
      });
    });
  });
}
