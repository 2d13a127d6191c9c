/** The graph calls of the caller's context: none if a result of the search fits the context, otherwise one or two. */
import { expect } from 'chai';
import { queryConfig } from '../../../query-api/config.js';
import { createAddCandidates } from '../../../query-api/recall/add-candidates.js';
import { readCandidates } from '../../../query-api/recall/hydrate/read-candidates.js';
import { resolveStates } from '../../../query-api/recall/hydrate/resolve-states.js';
import { planRecall } from '../../../query-api/recall/plan/plan-recall.js';
import { fuse } from '../../../query-api/recall/retrieve/fuse.js';
import { priorityHits } from '../../../query-api/recall/retrieve/retrieve.js';
import { createSearchScorer } from '../../../query-api/recall/score/score-search.js';
import { createTermText } from '../../../query-api/recall/score/term-text.js';
import { createInjectPriority } from '../../../query-api/recall/select/inject-priority.js';
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { associated, association, memory, memoryId, stored } from '../../support/fixtures/memories.js';

const NOW = new Date('2024-06-12T15:30:00Z');

for (const adapter of GRAPH_ADAPTERS) {
  describe(`context reads on ${adapter.name}`, () => {
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

    /** Runs the context stage after a search that found memory 1. Resolves with its results and its graph calls. */
    async function injected(request: RecallQuery) {
      const plan = planRecall(
        { query: 'soup', ...request },
        { config: queryConfig({}).recall, dimension: 4, now: NOW },
      );
      const scoring = { config: queryConfig({}).recall, termText: createTermText() };
      const candidates = fuse([[{ id: memoryId(1), evidence: { source: 'keyword' } }], priorityHits(plan)]);
      const { current } = await resolveStates(graph.reader, await readCandidates(graph.reader, candidates, plan), plan);
      const { reader, reads } = counting(graph.reader);
      const inject = createInjectPriority({
        graph: reader,
        addCandidates: createAddCandidates({ ...scoring, graph: reader }),
      });
      const search = { ...plan, weight: 1 };
      const scored = createSearchScorer(scoring)(current, search);
      const found = { search, scored, hits: new Map(), degraded: [], suppressed: [] };
      const complete = await inject(scored, [found], plan);
      return { numbers: complete.map((candidate) => Number(candidate.memory.id.slice(-12))), reads };
    }

    it('make no calls without a context or when a result fits it', async () => {
      for (const request of [
        {},
        { context: 'lunch' },
        { context_types: ['habit'] },
        { priority_ids: [memoryId(2)] },
        { context_tags: ['lunch'], priority_ids: [memoryId(1)] },
      ]) {
        expect((await injected(request)).reads, JSON.stringify(request)).to.deep.equal([]);
      }
    });

    it('list by the tags once and load the found memories once', async () => {
      const { numbers, reads } = await injected({ context: 'ops', state_mode: 'history' });
      expect(numbers).to.deep.equal([1, 10, 11, 12]);
      expect(reads).to.deep.equal(['trending', 'memories']);
    });

    it('make the same calls for a larger limit and add no more memories', async () => {
      const { numbers, reads } = await injected({ context: 'ops', limit: 100, state_mode: 'history' });
      expect(numbers).to.deep.equal([1, 10, 11, 12]);
      expect(reads).to.have.length(2);
      expect((await injected({ context: 'ops', limit: 2, state_mode: 'history' })).numbers).to.deep.equal([1, 10, 11]);
    });

    it('make two calls in current mode with a superseded memory', async () => {
      const { numbers, reads } = await injected({ context: 'ops' });
      expect(numbers).to.deep.equal([1, 3, 11, 12]);
      expect(reads).to.deep.equal(['trending', 'lineages']);
    });

    it('make one call when no memory has the tags', async () => {
      expect(await injected({ context: 'nowhere' })).to.deep.equal({ numbers: [1], reads: ['trending'] });
    });

    it('skip memories that the tags of the request exclude', async () => {
      expect((await injected({ context: 'ops', tags: ['lunch', 'mine'] })).numbers).to.deep.equal([1, 11, 12, 13]);
      expect((await injected({ context: 'ops', tags: ['lunch'] })).numbers).to.deep.equal([1]);
    });

    it('also search by tags when a priority memory was not found', async () => {
      expect(
        (await injected({ context: 'lunch', context_tags: ['ops'], priority_ids: [memoryId(2)] })).numbers,
      ).to.deep.equal([1, 2, 3, 11, 12]);
    });
  });
}

/** Wraps the graph and records the names of the called methods, in order. */
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
