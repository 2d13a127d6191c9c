import { expect } from 'chai';
import { associatedCandidates } from '../../../../../query-api/recall/expand/associations.js';
import { relationScore } from '../../../../../query-api/recall/score/score-candidates.js';
import type { Relation } from '../../../../../shared/ports/graph.js';
import { memoryOf, NOW_TEXT, numberedId } from '../memories.js';

const seed = (number: number, importance: number) => ({ memory: memoryOf(number, { importance }), score: number / 10 });
const relationTo = (number: number, strength: number): Relation => ({
  type: 'LEADS_TO',
  direction: 'outgoing',
  strength,
  created_at: NOW_TEXT,
  updated_at: NOW_TEXT,
  properties: {},
  memory: { id: numberedId(number) },
});
const reached = (
  seeds: Parameters<typeof associatedCandidates>[0],
  relations: Readonly<Record<number, readonly Relation[]>>,
) =>
  associatedCandidates(
    seeds,
    new Map(Object.entries(relations).map(([number, found]) => [numberedId(Number(number)), found])),
  );
const numbers = (candidates: readonly { readonly id: string }[]): readonly number[] =>
  candidates.map(({ id }) => Number(id.slice(-12)));

describe('associated candidates', () => {
  it('appear once, with every association that led to them', () => {
    const [candidate, ...others] = reached([seed(1, 0.5), seed(2, 1)], {
      1: [relationTo(9, 0.6)],
      2: [relationTo(9, 0.4), relationTo(9, 0.2)],
    });
    expect(others).to.deep.equal([]);
    expect(candidate?.evidence).to.deep.include({
      source: 'relation',
      type: 'LEADS_TO',
      strength: 0.6,
      seed: { id: numberedId(1), importance: 0.5, score: 0.1, rank: 0 },
    });
    expect(relationScore(candidate?.evidence ?? [])).to.be.closeTo(0.6 * 0.5 + 0.4 + 0.2, 1e-12);
  });

  it('are sorted by strength times importance of the result, then by rank', () => {
    const relations = {
      1: [relationTo(7, 0.4), relationTo(6, 0.4), relationTo(5, 0.9)],
      2: [relationTo(8, 0.3), relationTo(6, 0.1)],
    };
    expect(numbers(reached([seed(1, 0.5), seed(2, 1)], relations))).to.deep.equal([5, 6, 8, 7]);
  });

  it('do not include results', () => {
    expect(reached([seed(1, 1), seed(2, 1)], { 1: [relationTo(2, 1)], 2: [relationTo(1, 1)] })).to.deep.equal([]);
  });

  it('are empty without associations', () => {
    expect(reached([seed(1, 1)], {})).to.deep.equal([]);
    expect(relationScore([{ source: 'keyword' }])).to.equal(0);
  });
});
