import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { createAddCandidates } from '../../../../../query-api/recall/add-candidates.js';
import type { Evidence, HydratedCandidate } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import {
  createAddedScorer,
  createSearchScorer,
  type ScoredSearch,
} from '../../../../../query-api/recall/score/score-search.js';
import { createTermText } from '../../../../../query-api/recall/score/term-text.js';
import { mergeSearches } from '../../../../../query-api/recall/select/merge-searches.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import type { GraphReader } from '../../../../../shared/ports/graph.js';
import { candidateOf, memoryOf, NOW } from '../memories.js';

const { recall: config } = queryConfig({});
const scoring = { config, termText: createTermText() };
const scoreSearch = createSearchScorer(scoring);
const scoreAdded = createAddedScorer(scoring);

const similar = (similarity: number) => ({ source: 'vector', similarity }) as const;
const seed = memoryOf(1, { content: 'Redis holds the sessions', tags: ['session:1'] });
const found = [
  candidateOf(seed, similar(0.8)),
  candidateOf(memoryOf(2, { content: 'Postgres holds the orders', timestamp: '2024-01-01T00:00:00Z' }), similar(0.3)),
];
const added = memoryOf(3, {
  content: 'Redis evicts old sessions',
  tags: ['session:1'],
  timestamp: '2024-06-12T15:20:00Z',
});

/** How a memory enters a recall, with the evidence that it then has. */
const WAYS: Readonly<Record<string, readonly Evidence[]>> = {
  'a priority id': [{ source: 'priority' }],
  'the tags of the profile': [{ source: 'profile' }],
  'an association': [
    {
      source: 'relation',
      type: 'LEADS_TO',
      strength: 0.8,
      seed: { id: seed.id, importance: 0.5, score: 1, rank: 0 },
    },
  ],
  'an entity': [{ source: 'entity', entity: 'redis' }],
  'the scope fallback': [similar(0.5)],
};

function planned(request: RecallQuery = {}) {
  const plan = planRecall({ query: 'redis sessions', ...request }, { config, dimension: 4, now: NOW });
  return { plan, search: { ...plan, weight: 1 } };
}

function searched(candidates: readonly HydratedCandidate[], query = 'redis sessions'): ScoredSearch {
  const { search } = planned({ query });
  return { search, scored: scoreSearch(candidates, search), hits: new Map(), degraded: [], suppressed: [] };
}

describe('score of a memory', () => {
  for (const [way, evidence] of Object.entries(WAYS)) {
    it(`is the same by ${way} as in a search with that evidence`, async () => {
      const graph = {
        memories: async () => [{ memory: added, version: 1 }],
      } as unknown as GraphReader; // in history mode only `memories` is called
      const addCandidates = createAddCandidates({ ...scoring, graph });
      const { plan } = planned({ state_mode: 'history' });
      const [one] = (
        await addCandidates(
          { candidates: [{ id: added.id, evidence }], searches: [searched(found)], choose: (current) => current },
          plan,
        )
      ).scored;
      const retrieved = searched([...found, candidateOf(added, ...evidence)]).scored.at(-1);
      expect(one?.score).to.equal(retrieved?.score);
      expect(one?.components).to.deep.equal(retrieved?.components);
      expect(one?.features).to.deep.equal(retrieved?.features);
      expect(one?.match).to.deep.equal(retrieved?.match);
      expect(one?.features.session).to.be.above(0);
    });
  }

  it('keeps the evidence of the search that found it', () => {
    const [one] = scoreAdded([candidateOf(seed, { source: 'entity', entity: 'redis' })], [searched(found)]);
    expect(one?.features.similarity).to.equal(0.8);
    expect(one?.components.entity_expansion).to.equal(0.15);
  });

  it('has the value 0 for a part without evidence', () => {
    const [one] = scoreAdded([candidateOf(memoryOf(4, { content: 'Lunch' }))], [searched(found)]);
    expect(one?.components).to.include({ vector: 0, keyword: 0, metadata: 0, relation: 0 });
  });

  it('has no signals when the only candidate of the search has none', () => {
    const [one] = scoreAdded([candidateOf(added)], [searched(found.slice(0, 1))]);
    expect(one?.features).not.to.have.property('lexical');
  });

  it('is the best of all searches by their weights', () => {
    const { plan } = planned();
    const parts = [searched(found), searched([candidateOf(memoryOf(5, { content: 'Soup' }), similar(0.3))], 'soup')];
    const { scoredSearches } = mergeSearches(parts, plan, config.scoring.weights);
    const [one] = scoreAdded([candidateOf(added)], scoredSearches);
    const [alone] = scoreAdded([candidateOf(added)], scoredSearches.slice(0, 1));
    expect(one).to.deep.equal(alone);
    expect(one?.scoredBy).to.deep.equal({
      query: 'redis sessions',
      weight: scoredSearches[0]?.search.weight,
      hasFound: false,
    });
  });

  it('of no added memory is not computed', () => {
    expect(scoreAdded([], [searched(found)])).to.deep.equal([]);
  });
});
