import { expect } from 'chai';
import { nearestName } from '../../../shared/kernel/nearest-name.js';

describe('nearest name', () => {
  const known = ['content', 'importance', 'tags', 'query', 'queries', 't_valid', 't_invalid', 'min_score'];
  const names: readonly (readonly [string, string | null])[] = [
    ['importence', 'importance'],
    ['querry', 'query'],
    ['qurey', 'query'],
    ['Content', 'content'],
    ['minScore', 'min_score'],
    ['tvalid', 't_valid'],
    ['tag', 'tags'],
    ['body', null],
    ['id', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ];
  for (const [given, nearest] of names) {
    it(`is ${nearest} for ${given.slice(0, 20)}`, () => expect(nearestName(given, known)).to.equal(nearest));
  }
});
