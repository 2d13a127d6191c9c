import { expect } from 'chai';
import type { Components, ScoredCandidate } from '../../../../../query-api/recall/candidate.js';
import { contextProfile } from '../../../../../query-api/recall/plan/context-profile.js';
import { selectResults } from '../../../../../query-api/recall/select/select-results.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { memoryOf, numberedId, replacedOf } from '../memories.js';

const none: Components = {
  vector: 0,
  keyword: 0,
  metadata: 0,
  relation: 0,
  tag: 0,
  importance: 0,
  confidence: 0,
  recency: 0,
  exact: 0,
  relevance: 0,
  context: 0,
  evidence: 0,
  relevance_gated: false,
};
const scored = (number: number, score: number, overrides: Partial<Memory> = {}): ScoredCandidate => ({
  memory: memoryOf(number, overrides),
  position: 0,
  evidence: [],
  replaces: null,
  components: none,
  features: { similarity: 0, words: 0 },
  score,
});
const selected = (candidates: readonly ScoredCandidate[], request: Partial<Parameters<typeof selectResults>[1]> = {}) =>
  selectResults(candidates, {
    minScore: 0,
    minProbability: 0,
    sort: 'score',
    limit: 10,
    profile: null,
    distinctBy: null,
    sourceField: 'source_id',
    coversDays: false,
    ranksByCloseness: false,
    ...request,
  });
const numbers = (candidates: readonly ScoredCandidate[], request = {}): readonly number[] =>
  selected(candidates, request).results.map(({ memory }) => Number(memory.id.slice(-12)));
const at = (day: number): string => `2024-01-0${day}T00:00:00+00:00`;

describe('selectResults', () => {
  it('sorts by score and cuts to the limit', () => {
    expect(numbers([scored(1, 0.2), scored(2, 0.9), scored(3, 0.5)], { limit: 2 })).to.deep.equal([2, 3]);
  });

  it('sorts by the vector, then by score, for a query by vector alone', () => {
    const close = (number: number, vector: number, score: number): ScoredCandidate => ({
      ...scored(number, score),
      components: { ...none, vector },
    });
    const candidates = [close(1, 0.958, 0.6), close(2, 1, 0.5), close(3, 0.958, 0.7)];
    expect(numbers(candidates, { ranksByCloseness: true })).to.deep.equal([2, 3, 1]);
    expect(numbers(candidates)).to.deep.equal([3, 1, 2]);
  });

  it('covers days: 0.05 points for each result of the same day before it', () => {
    const history = [
      scored(1, 0.9, { timestamp: at(1) }),
      scored(2, 0.88, { timestamp: at(1) }),
      scored(3, 0.86, { timestamp: at(1) }),
      scored(4, 0.84, { timestamp: at(2) }),
      scored(5, 0.7, { timestamp: at(3) }),
    ];
    expect(numbers(history, { coversDays: true, limit: 4 })).to.deep.equal([1, 4, 2, 3]);
    expect(numbers(history, { limit: 4 })).to.deep.equal([1, 2, 3, 4]);
  });

  it('counts the pieces of a source once for their day', () => {
    const piece = (number: number, score: number) =>
      scored(number, score, { timestamp: at(1), metadata: { source_id: 'a' } });
    const history = [piece(1, 0.9), piece(2, 0.84), scored(3, 0.8, { timestamp: at(1) }), scored(4, 0.76)];
    const request = { coversDays: true, distinctBy: 'source_id' };
    expect(numbers([...history.slice(0, 3), { ...scored(4, 0.76, { timestamp: at(2) }) }], request)).to.deep.equal([
      1, 4, 3,
    ]);
    expect(numbers([...history.slice(0, 3), { ...scored(4, 0.74, { timestamp: at(2) }) }], request)).to.deep.equal([
      1, 3, 4,
    ]);
  });

  it('breaks ties by time, then by id', () => {
    expect(
      numbers([
        scored(3, 0.5, { timestamp: at(1) }),
        scored(2, 0.5, { timestamp: at(2) }),
        scored(1, 0.5, { timestamp: at(1) }),
      ]),
    ).to.deep.equal([2, 1, 3]);
  });

  it('breaks ties by importance, but merges into the newer memory', () => {
    const [older, newer] = [
      scored(1, 0.5, { importance: 0.9, timestamp: at(1) }),
      scored(2, 0.5, { importance: 0.1, timestamp: at(2) }),
    ];
    expect(numbers([newer, older])).to.deep.equal([1, 2]);
    const same = [older, newer].map((one) => ({ ...one, memory: { ...one.memory, content: 'same' } }));
    expect(numbers(same)).to.deep.equal([2]);
  });

  it('breaks ties of the last change by the timestamp', () => {
    const changed = [1, 3, 2].map((number) => scored(number, 0.5, { timestamp: at(number), updated_at: at(4) }));
    expect(numbers(changed, { sort: 'time_desc' })).to.deep.equal([3, 2, 1]);
    expect(numbers(changed, { sort: 'updated_asc' })).to.deep.equal([1, 2, 3]);
  });

  it('breaks ties of all times by the order of writing in an order by time', () => {
    const written = [5, 9, 7].map((position, index) => ({ ...scored(index + 1, 0.5), position }));
    expect(numbers(written, { sort: 'time_desc' })).to.deep.equal([2, 3, 1]);
    expect(numbers(written, { sort: 'time_asc' })).to.deep.equal([1, 3, 2]);
  });

  it('drops and counts candidates below min_probability', () => {
    const estimated = (number: number, probability: number): ScoredCandidate => ({
      ...scored(number, 0.5),
      match: { probability, known_terms: 1, candidates: 3, sessions: false, points: 0.5 },
    });
    const { results, filteredCount } = selected([estimated(1, 0.3), estimated(2, 0.29), scored(3, 0.5)], {
      minProbability: 0.3,
    });
    expect([results.map(({ memory }) => memory.id), filteredCount]).to.deep.equal([[numberedId(1), numberedId(3)], 1]);
  });

  it('drops and counts candidates below min_score', () => {
    const { results, filteredCount } = selected([scored(1, 0.3), scored(2, 0.29)], { minScore: 0.3 });
    expect(results).to.have.length(1);
    expect(filteredCount).to.equal(1);
  });

  it('sorts by the time of the last change for an order by time', () => {
    const candidates = [
      scored(1, 0.9, { timestamp: at(1), updated_at: at(1) }),
      scored(2, 0.1, { timestamp: at(2), updated_at: at(2) }),
      scored(3, 0.5, { timestamp: at(1), updated_at: at(3) }),
    ];
    expect(numbers(candidates, { sort: 'time_desc' })).to.deep.equal([3, 2, 1]);
    expect(numbers(candidates, { sort: 'updated_desc' })).to.deep.equal([3, 2, 1]);
    expect(numbers(candidates, { sort: 'time_asc' })).to.deep.equal([1, 2, 3]);
    expect(numbers(candidates, { sort: 'updated_asc' })).to.deep.equal([1, 2, 3]);
  });

  it('sorts by the timestamp when the time of change is missing', () => {
    expect(
      numbers([scored(1, 0.9, { timestamp: at(1), updated_at: '' }), scored(2, 0.9, { timestamp: at(2) })], {
        sort: 'time_asc',
      }),
    ).to.deep.equal([1, 2]);
  });

  it('merges memories with equal contents into the better one', () => {
    const { results } = selected([
      scored(1, 0.4, { content: 'Use Redis!' }),
      scored(2, 0.6, { content: '**use** redis' }),
    ]);
    expect(results).to.have.length(1);
    expect(results[0]).to.deep.include({ score: 0.6, dedupedFrom: [numberedId(1), numberedId(2)] });
  });

  it('keeps the newer of two equal memories with the same score', () => {
    expect(
      numbers([
        scored(1, 0.5, { content: 'same', timestamp: at(1) }),
        scored(2, 0.5, { content: 'same', timestamp: at(2) }),
      ]),
    ).to.deep.equal([2]);
  });

  it('merges repeated candidates of one memory without listing ids', () => {
    const replaced = replacedOf(memoryOf(9));
    const { results } = selected([scored(1, 0.4), { ...scored(1, 0.6), replaces: replaced }]);
    expect(results).to.have.length(1);
    expect(results[0]).to.deep.include({ score: 0.6, replaces: replaced, dedupedFrom: [] });
  });

  it('prefers a directly found memory to a replacement with the same score', () => {
    const replaced = replacedOf(memoryOf(9));
    expect(selected([{ ...scored(1, 0.4), replaces: replaced }, scored(1, 0.4)]).results[0]?.replaces).to.equal(null);
  });

  describe('with pieces of one source', () => {
    const piece = (number: number, score: number, source = 'a') =>
      scored(number, score, { metadata: { document: source } });
    const pieces = [piece(1, 0.7), piece(2, 0.9), piece(3, 0.8), scored(4, 0.6), piece(5, 0.5, 'b')];

    it('gives the best one a place and lists the others', () => {
      const { results } = selected(pieces, { distinctBy: 'document', limit: 2 });
      expect(results.map(({ memory }) => memory.id)).to.deep.equal([2, 4].map(numberedId));
      expect(results[0]?.sourcePieces?.map(({ memory }) => memory.id)).to.deep.equal([3, 1].map(numberedId));
      expect(results[1]).to.not.have.property('sourcePieces');
    });

    it('gives each a place without a field or for another', () => {
      expect(numbers(pieces, { distinctBy: null })).to.deep.equal([2, 3, 1, 4, 5]);
      expect(numbers(pieces, { distinctBy: 'source_id' })).to.deep.equal([2, 3, 1, 4, 5]);
    });

    it('does not list pieces below min_score', () => {
      const { results } = selected(pieces, { distinctBy: 'document', minScore: 0.75 });
      expect(results[0]?.sourcePieces?.map(({ memory }) => memory.id)).to.deep.equal([numberedId(3)]);
    });

    it('keeps the place of a memory that the caller named', () => {
      const profile = contextProfile({ priority_ids: [numberedId(1)] }, null);
      const { results } = selected(pieces, { distinctBy: 'document', profile });
      expect(results.map(({ memory }) => memory.id)).to.deep.equal([1, 2, 4, 5].map(numberedId));
      expect(results[1]?.sourcePieces?.map(({ memory }) => memory.id)).to.deep.equal([numberedId(3)]);
    });
  });

  it('does not merge contents without letters or digits', () => {
    expect(numbers([scored(1, 0.5, { content: '!!' }), scored(2, 0.4, { content: '??' })])).to.deep.equal([1, 2]);
  });
});
