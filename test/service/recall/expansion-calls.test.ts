/**
 * The graph calls of an expansion: the same number for one result as for many. Also covers archived neighbours, which
 * only the graph can have.
 */
import { expect } from 'chai';
import { queryConfig } from '../../../query-api/config.js';
import { createAddCandidates } from '../../../query-api/recall/add-candidates.js';
import { createExpand } from '../../../query-api/recall/expand/expand.js';
import { planRecall } from '../../../query-api/recall/plan/plan-recall.js';
import { createSearchScorer } from '../../../query-api/recall/score/score-search.js';
import { createTermText } from '../../../query-api/recall/score/term-text.js';
import { selectResults } from '../../../query-api/recall/select/select-results.js';
import type { Memory } from '../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { associated, association, memory, stored, superseded } from '../../support/fixtures/memories.js';

const MOST_SEEDS = 40;
/** The number of the first neighbour. Each seed has its own neighbours, and one of them is superseded. */
const NEIGHBOURS_FROM = 1_000;
const NEIGHBOURS = 4;

const config = queryConfig({}).recall;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`expansion on ${adapter.name}`, () => {
    const seeds = Array.from({ length: MOST_SEEDS }, (_, index) =>
      memory(index + 1, { tags: ['seed', `entity:people:person-${index}`] }),
    );
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply(seeds.map((each) => stored(each)));
      for (const seed of seeds.keys()) await graph.writer.apply(neighbourhood(seed + 1));
    });
    after(() => graph.close());

    function neighbourhood(seed: number) {
      const first = NEIGHBOURS_FROM + seed * 10;
      const numbers = Array.from({ length: NEIGHBOURS }, (_, index) => first + index);
      const successor = first + NEIGHBOURS;
      return [
        ...[...numbers, successor].map((number) =>
          stored(memory(number, number === first + 1 ? { archived: true } : {})),
        ),
        ...numbers.map((number) => associated(association(seed, number, { type: 'LEADS_TO' }))),
        superseded(first, successor),
        stored(memory(first + 5, { tags: [`entity:people:person-${seed - 1}`] })),
      ];
    }

    async function expanded(found: readonly Memory[], query: RecallQuery) {
      const calls: string[] = [];
      const scoring = { config, termText: createTermText() };
      const plan = planRecall(
        { limit: MOST_SEEDS, expansion_limit: 500, ...query },
        { config, dimension: 4, now: new Date('2024-06-12T00:00:00Z') },
      );
      const search = { ...plan, weight: 1 };
      const scored = createSearchScorer(scoring)(
        found.map((each) => ({ memory: each, position: 0, evidence: [{ source: 'tag' }], replaces: null })),
        search,
      );
      const reader = counting(graph.reader, calls);
      const expand = createExpand({ graph: reader, addCandidates: createAddCandidates({ ...scoring, graph: reader }) });
      const searched = { search, scored, hits: new Map(), degraded: [], suppressed: [] };
      const { selected, suppressed } = await expand(
        { selected: selectResults(scored, plan), suppressed: [], scoredSearches: [searched] },
        plan,
      );
      return { calls, suppressed, numbers: selected.results.map(({ memory: { id } }) => Number(id.slice(-12))) };
    }

    it('makes the same graph calls for one result as for many', async () => {
      const both = { expand_relations: true, expand_entities: true };
      const one = await expanded(seeds.slice(0, 1), both);
      const many = await expanded(seeds, both);
      expect(one.numbers).to.have.length(1 + NEIGHBOURS - 1 + 1);
      expect(many.numbers).to.have.length(MOST_SEEDS * NEIGHBOURS + 5);
      expect(many.calls).to.deep.equal(one.calls);
      expect(many.calls).to.have.members(['steps', 'lineages', 'topByTag', 'lineages']);
    });

    it('makes no graph calls when it is off or has no results', async () => {
      expect((await expanded(seeds, {})).calls).to.deep.equal([]);
      expect((await expanded([], { expand_relations: true, expand_entities: true })).calls).to.deep.equal([]);
    });

    it('does not add archived and superseded neighbours', async () => {
      const first = NEIGHBOURS_FROM + 10;
      const current = await expanded(seeds.slice(0, 1), { expand_relations: true });
      expect(current.numbers).to.have.members([1, first + 2, first + 3, first + 4]);
      expect(current.suppressed.map(({ reason }) => reason)).to.have.members(['superseded', 'archived']);
      const history = await expanded(seeds.slice(0, 1), { expand_relations: true, state_mode: 'history' });
      expect(history.numbers).to.have.members([1, first, first + 2, first + 3]);
    });
  });
}

function counting(reader: GraphReader, calls: string[]): GraphReader {
  return new Proxy(reader, {
    get(target, property, receiver) {
      const value: unknown = Reflect.get(target, property, receiver);
      if (typeof value === 'function') calls.push(String(property));
      return value;
    },
  });
}
