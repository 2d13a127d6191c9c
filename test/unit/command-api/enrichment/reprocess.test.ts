import { expect } from 'chai';
import { draftReprocess } from '../../../../command-api/enrichment/reprocess.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';

describe('draftReprocess', () => {
  const accepted: readonly (readonly [string, unknown, readonly string[] | undefined, readonly string[]])[] = [
    ['a list', ['b', ' a ', 'b'], undefined, ['a', 'b']],
    ['a text with commas', 'b, a,,', undefined, ['a', 'b']],
    ['a list and ignores values that are not texts', ['a', 5, null, {}, ' '], undefined, ['a']],
    ['the query when the body has no ids', undefined, ['q'], ['q']],
    ['the query when the ids of the body are unreadable', 7, ['q'], ['q']],
    ['only the body when both have ids', ['a'], ['q'], ['a']],
  ];
  for (const [title, ids, query, expected] of accepted) {
    it(`reads ${title}`, () => expect(draftReprocess({ ids }, query ? { ids: query } : {})).to.deep.equal(expected));
  }

  for (const ids of [undefined, [], '', ' , ', [5], {}]) {
    it(`refuses ${JSON.stringify(ids)}`, () => {
      expect(() => draftReprocess({ ids }, {}))
        .to.throw(ValidationError, 'No memory ids provided for reprocessing')
        .with.property('field', 'ids');
    });
  }

  it('accepts 500 ids and refuses 501', () => {
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`);
    expect(draftReprocess({ ids: many(500) }, {})).to.have.length(500);
    expect(() => draftReprocess({ ids: many(501) }, {}))
      .to.throw(ValidationError, "'ids' must have at most 500 items")
      .with.property('field', 'ids');
  });
});
