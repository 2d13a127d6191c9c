import { expect } from 'chai';
import { moveInWords, movesOf } from '../../../deploy/console/app/views/recall/moved.js';
import {
  matchInWords,
  parametersOf,
  requestOf,
  scaleOf,
  setsOf,
  stageTimesOf,
} from '../../../deploy/console/app/views/recall/recalled.js';

const result = (id: string, score: number) => ({ id, final_score: score });

describe('the recall lab', () => {
  it('keeps two sets of parameters in one address', () => {
    const first = { query: 'tea', tags: 'anna,drinks' };
    const second = { query: 'tea', limit: '3', 'b.x': 'y' };
    expect(setsOf(parametersOf(first, second))).to.deep.equal({ first, second });
    expect(setsOf(parametersOf(first, null))).to.deep.equal({ first, second: null });
    expect(setsOf(parametersOf({}, {}))).to.deep.equal({ first: { query: '*' }, second: { query: '*' } });
  });

  it('asks for whole results, each tag as a parameter of its own', () => {
    expect(requestOf({ query: 'tea', tags: ' anna, ,drinks', detail: 'compact', limit: '3' })).to.deep.equal({
      query: 'tea',
      tags: ['anna', 'drinks'],
      limit: '3',
      state_debug: 'true',
      explain: 'true',
    });
    expect(requestOf({ query: 'tea' }, 'an id')).to.deep.equal({ query: 'tea', state_debug: 'true', explain: 'an id' });
  });

  it('draws every bar from the largest penalty to the largest sum of points', () => {
    const of = (points: Record<string, number>) => ({ explain: { points } }) as never;
    const results = [of({ vector: 0.5, tag: 0.25, adjusted: -0.125 }), of({ vector: 0.25, adjusted: -0.25 })];
    expect(scaleOf(results)).to.deep.equal({ lowest: -0.25, highest: 0.75 });
    expect(scaleOf([])).to.deep.equal({ lowest: 0, highest: 0 });
  });

  it('says how probable a match is in words and a figure', () => {
    expect([0.814, 0.5, 0.499, 0.1, 0.0999, 0.0099].map(matchInWords)).to.deep.equal([
      'probably answers (81 %)',
      'probably answers (50 %)',
      'may answer (50 %)',
      'may answer (10 %)',
      'unlikely (10 %)',
      'unlikely (under 1 %)',
    ]);
  });

  it('reads the times of the stages, and counts a part of a stage once', () => {
    const header = 'plan;dur=0.25, encode;dur=2, retrieve;dur=5.5, rank;dur=3, relate;dur=1.75, total;dur=9.5';
    expect(stageTimesOf(header)).to.deep.equal({
      total: 9.5,
      stages: [
        { name: 'plan', value: 0.25, parts: [] },
        { name: 'retrieve', value: 5.5, parts: ['encode 2.0 ms'] },
        { name: 'rank', value: 3, parts: ['relate 1.8 ms'] },
      ],
    });
    expect(stageTimesOf('')).to.deep.equal({ total: 0, stages: [] });
  });

  it('says for each memory of two answers what moved', () => {
    const moves = movesOf(
      [result('a', 0.9), result('b', 0.8), result('gone', 0.7), result('c', 0.6)],
      [result('b', 0.85), result('a', 0.9), result('new', 0.5), result('c', 0.4)],
    );
    expect(moves.map((move) => [move.id, moveInWords(move)])).to.deep.equal([
      ['b', 'up 1'],
      ['a', 'down 1'],
      ['new', 'only in B'],
      ['c', 'same rank'],
      ['gone', 'only in A'],
    ]);
    expect(moves[0]).to.deep.equal({ id: 'b', before: { rank: 2, score: 0.8 }, after: { rank: 1, score: 0.85 } });
  });
});
