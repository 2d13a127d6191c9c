/** Reads and writes next to a memory with very many associations: which ones count, and that the work is bounded. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { RELATIONS_READ } from '../../../../shared/contract/limits.js';
import { SUCCESSORS_READ } from '../../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../../support/adapters/graphs.js';
import { derived, enriched } from '../../../support/fixtures/enrichment-events.js';
import { associated, association, day, memory, memoryId, stored } from '../../../support/fixtures/memories.js';

const HUB = 100_000;
const FURTHER = 100;
const MANY = RELATIONS_READ + FURTHER;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`hubs: ${adapter.name}`, function () {
    this.timeout(180_000);
    let graph: OpenGraph;
    const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
    beforeEach(async () => {
      graph = await adapter.open();
      await apply(...[HUB, ...numbers].map((number) => stored(memory(number))));
    });
    afterEach(() => graph.close());

    const apply = (...events: RecordedEvent[]): Promise<void> => graph.writer.apply(events);
    /** The higher the number, the weaker and the newer the association. */
    const weaker = (number: number): RecordedEvent => {
      const overrides = { strength: 1 - number / 1_000, updated_at: day(number) };
      return associated(number % 2 === 0 ? association(number, HUB, overrides) : association(HUB, number, overrides));
    };
    async function around(options: Partial<Parameters<OpenGraph['reader']['relations']>[0]> = {}): Promise<number[]> {
      const request = { ids: [memoryId(HUB)], direction: 'both', limit: 3, ...options } as const;
      const found = (await graph.reader.relations(request)).get(memoryId(HUB)) ?? [];
      return found.map(({ memory: { id } }) => Number(id.slice(-6)));
    }

    it('with as many associations as one read takes show the newest', async () => {
      await apply(...numbers.slice(FURTHER).map(weaker));
      expect(await around()).to.deep.equal([MANY, MANY - 1, MANY - 2]);
    });

    it('with more associations show the newest of the strongest', async () => {
      await apply(...numbers.map(weaker));
      expect(await around()).to.deep.equal([RELATIONS_READ, RELATIONS_READ - 1, RELATIONS_READ - 2]);
      expect(await around({ direction: 'outgoing', limit: 2 })).to.deep.equal([MANY - 1, MANY - 3]);
      expect(await around({ limit: MANY })).to.deep.equal([...numbers].reverse());
    });

    it('show the associations of callers before stronger derived ones', async () => {
      await apply(...numbers.map((number) => enriched(number, 2, [derived(HUB, { strength: 1 })])));
      await apply(associated(association(1, HUB, { strength: 0.1 })), associated(association(HUB, 2, { strength: 0 })));
      expect((await around()).slice(0, 2)).to.have.members([1, 2]);
    });

    it('filter by type and by strength before they choose the strongest', async () => {
      await apply(...numbers.map(weaker));
      await apply(associated(association(7, HUB, { type: 'PART_OF', strength: 0.01 })));
      expect(await around({ types: ['PART_OF'] })).to.deep.equal([7]);
      expect(await around({ minStrength: 0.995 })).to.deep.equal([5, 4, 3]);
    });

    it('lead to the memories that their associations show, step by step', async () => {
      await apply(...numbers.map(weaker));
      const request = { ids: [HUB, 2].map(memoryId), types: ['RELATES_TO'], minStrength: 0.8, limit: 50 } as const;
      const [steps, relations] = [
        await graph.reader.steps(request),
        await graph.reader.relations({ ...request, direction: 'both' }),
      ];
      for (const id of request.ids)
        expect(steps.get(id)).to.deep.equal(
          relations.get(id)?.map(({ type, direction, strength, memory: { id: other, importance, timestamp } }) => ({
            type,
            direction,
            strength,
            memory: { id: other, importance, timestamp },
          })),
        );
      expect(steps.get(memoryId(HUB))).to.have.length(50);
    });

    it('follow the newest successors', async () => {
      const by = (number: number) =>
        associated(association(HUB, number, { type: 'EVOLVED_INTO', updated_at: day(number) }));
      await apply(...numbers.map(by));
      const found = await graph.reader.successions([memoryId(HUB)], 2);
      expect(found).to.have.length(SUCCESSORS_READ);
      expect(found.map(({ target }) => Number(target.slice(-6)))).to.include(MANY);
    });
  });
}
