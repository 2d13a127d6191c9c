/** How many round trips the caller's context costs the graph: none unless the search found nothing that fits, and then a few. */
import { expect } from 'chai';
import { queryConfig } from '../../query-api/config.js';
import { fuse } from '../../query-api/recall/fuse.js';
import { hydrate } from '../../query-api/recall/hydrate.js';
import { createInjectPriority, priorityHits } from '../../query-api/recall/inject-priority.js';
import { planRecall } from '../../query-api/recall/plan.js';
import { resolveStates } from '../../query-api/recall/resolve-states.js';
import { createScore } from '../../query-api/recall/score.js';
import type { RecallQuery } from '../../shared/contract/queries.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../support/graph-adapters.js';
import { associated, association, memory, memoryId, stored } from '../support/memories.js';

const NOW = new Date('2024-06-12T15:30:00Z');

for (const adapter of GRAPH_ADAPTERS) {
  describe(`what the context asks the graph: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      const tagged = Array.from({ length: 60 }, (_, index) =>
        stored(memory(index + 10, { tags: ['ops', ...(index < 4 ? ['mine'] : [])], importance: 0.9 - index / 100 })),
      );
      await graph.writer.apply([
        stored(memory(1, { content: 'Soup', tags: ['lunch'] })),
        stored(memory(2, { content: 'Another soup', tags: ['lunch'] })),
        ...tagged,
        stored(memory(3, { content: 'The successor', tags: ['newer'] })),
        associated(association(10, 3, { type: 'INVALIDATED_BY' })),
      ]);
    });
    after(() => graph.close());

    /** What a recall has after its search found memory 1, then the stage; with what the stage read. */
    async function inject(request: RecallQuery) {
      const plan = planRecall(
        { query: 'soup', ...request },
        { config: queryConfig({}).recall, dimension: 4, now: NOW },
      );
      const score = createScore(queryConfig({}).recall.scoring);
      const candidates = fuse([[{ id: memoryId(1), evidence: { source: 'keyword' } }], priorityHits(plan)]);
      const { current } = await resolveStates(graph.reader, await hydrate(graph.reader, candidates, plan), plan);
      const { reader, reads } = counting(graph.reader);
      const complete = await createInjectPriority({ graph: reader, score })(score(current, plan), plan);
      return { numbers: complete.map((candidate) => Number(candidate.memory.id.slice(-12))), reads };
    }

    it('is nothing without a context, or when what was found fits it', async () => {
      for (const request of [
        {},
        { context: 'lunch' },
        { context_types: ['habit'] },
        { priority_ids: [memoryId(2)] },
        { context_tags: ['lunch'], priority_ids: [memoryId(1)] },
      ]) {
        expect((await inject(request)).reads, JSON.stringify(request)).to.deep.equal([]);
      }
    });

    it('is one walk by the tags and one load of what it found', async () => {
      const { numbers, reads } = await inject({ context: 'ops', state_mode: 'history' });
      expect(numbers).to.deep.equal([1, 10, 11, 12]);
      expect(reads).to.deep.equal(['trending', 'memories']);
    });

    it('is as few calls for a larger limit, and brings no more', async () => {
      const { numbers, reads } = await inject({ context: 'ops', limit: 100, state_mode: 'history' });
      expect(numbers).to.deep.equal([1, 10, 11, 12]);
      expect(reads).to.have.length(2);
      expect((await inject({ context: 'ops', limit: 2, state_mode: 'history' })).numbers).to.deep.equal([1, 10, 11]);
    });

    it('is as few where states matter and one of them was superseded', async () => {
      const { numbers, reads } = await inject({ context: 'ops' });
      expect(numbers).to.deep.equal([1, 3, 11, 12]);
      expect(reads).to.deep.equal(['trending', 'lineages']);
    });

    it('is the walk alone where no memory has the tags', async () => {
      expect(await inject({ context: 'nowhere' })).to.deep.equal({ numbers: [1], reads: ['trending'] });
    });

    it('looks past those that the tags of the request leave out', async () => {
      expect((await inject({ context: 'ops', tags: ['lunch', 'mine'] })).numbers).to.deep.equal([1, 11, 12, 13]);
      expect((await inject({ context: 'ops', tags: ['lunch'] })).numbers).to.deep.equal([1]);
    });

    it('asks by the tags too when a named memory was not found', async () => {
      expect(
        (await inject({ context: 'lunch', context_tags: ['ops'], priority_ids: [memoryId(2)] })).numbers,
      ).to.deep.equal([1, 2, 3, 11, 12]);
    });
  });
}

/** The same graph, and the names of the methods that were called, in order. */
function counting(graph: GraphReader): { readonly reader: GraphReader; readonly reads: readonly string[] } {
  const reads: string[] = [];
  const reader = new Proxy(graph, {
    get(target, name, receiver) {
      reads.push(String(name));
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { reader, reads };
}
