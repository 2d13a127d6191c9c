import { expect } from 'chai';
import type { Operation } from '../../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../../shared/contract/operations.js';
import { byTagQuery, type QueryParameter } from '../../../../shared/contract/queries.js';
import { recallQuery } from '../../../../shared/contract/queries/recall-query.js';
import { createCursors } from '../../../../shared/http/request/cursors.js';
import { parseQuery } from '../../../../shared/http/request/query-parameters.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';

const CURSORS = createCursors(() => null);
const recall = (query: string): Readonly<Record<string, unknown>> =>
  parseQuery(recallQuery, new URLSearchParams(query), CURSORS);

describe('parseQuery', () => {
  const read: readonly (readonly [string, Record<string, unknown>])[] = [
    ['', {}],
    ['query=%20a%20b%20&unknown=1&format=text', { query: 'a b' }],
    ['query=%20&query=b', { query: 'b' }],
    ['limit=7', { limit: 7 }],
    ['limit=0', { limit: 1 }],
    ['limit=-99999999999999999999', { limit: 1 }],
    ['limit=99999999999999999999', { limit: Number.MAX_SAFE_INTEGER }],
    ['limit=five', {}],
    ['limit=5.5', {}],
    ['min_score=0.5', { min_score: 0.5 }],
    ['min_score=2', { min_score: 1 }],
    ['min_score=nan', {}],
    ['sort=TIME_DESC', { sort: 'time_desc' }],
    ['order_by=time_asc', { sort: 'time_asc' }],
    ['sort=score&order_by=time_asc', { sort: 'score' }],
    ['sort=nonsense', {}],
    ['time=yesterday', { time_query: 'yesterday' }],
    ['tags=a,b&tags=c&tags=%20', { tags: ['a,b', 'c'] }],
    ['exclude_tags=a,b&exclude_tags=%20c%20,', { exclude_tags: ['a', 'b', 'c'] }],
    ['exclude_tags=,', {}],
    ['current_only=YES&state_debug=off', { current_only: true, state_debug: false }],
    ['current_only=maybe', {}],
    ['state_mode=history', { state_mode: 'history' }],
    ['distinct_by=%20Doc_1.id-x%20', { distinct_by: 'Doc_1.id-x' }],
    ['distinct_by=%20', {}],
    ['__proto__=1&constructor=2', {}],
  ];
  for (const [query, values] of read) {
    it(`reads ${query || '(none)'} as ${JSON.stringify(values).slice(0, 36)}`, () =>
      expect(recall(query)).to.deep.equal(values));
  }

  it('reads a vector from one value or several', () => {
    expect(recall('embedding=1,-2.5e0')['embedding']).to.deep.equal(Float32Array.of(1, -2.5));
    expect(recall('embedding=1&embedding=2')['embedding']).to.deep.equal(Float32Array.of(1, 2));
  });

  const refused: readonly (readonly [string, string])[] = [
    ['embedding=1,two', 'Embedding must contain numeric values'],
    ['embedding=1e300', 'Embedding must contain numeric values'],
    ['state_mode=nonsense', "'state_mode' must be 'current' or 'history'"],
    ...['a%20b', 'a/b', '%C3%BC', 'x'.repeat(65)].map(
      (field) => [`distinct_by=${field}`, "'distinct_by' must be 1 to 64 letters"] as const,
    ),
    ['query=a%00b', "'query' must not contain the character U+0000"],
  ];
  for (const [query, message] of refused) {
    it(`rejects ${query.slice(0, 60)}`, () => expect(() => recall(query)).to.throw(ValidationError, message));
  }

  it('rejects a longer list than the limit and names the parameter', () => {
    const values = Array.from({ length: 201 }, (_, index) => `t${index}`);
    expect(recall(`exclude_tags=${values.slice(1).join(',')}`)['exclude_tags']).to.have.length(200);
    for (const query of [`exclude_tags=${values.join(',')}`, values.map((value) => `exclude_tags=${value}`).join('&')])
      expect(() => recall(query))
        .to.throw(ValidationError, "'exclude_tags' must hold at most 200 values, not 201: send fewer")
        .with.property('field', 'exclude_tags');
  });

  it('has a limit for every list of every operation', () => {
    const parameters: readonly QueryParameter[] = Object.values<Operation>(OPERATIONS).flatMap(
      ({ query = [] }) => query,
    );
    const lists = parameters.filter(({ kind }) => kind === 'list' || kind === 'repeated');
    expect(lists.map(({ name }) => name)).to.include.members([
      'tags',
      'exclude_tags',
      'queries',
      'priority_ids',
      'ids',
    ]);
    for (const { name, maximumItems } of lists) expect(maximumItems, name).to.be.within(1, 500);
  });

  it('rejects a missing and a blank required parameter', () => {
    for (const query of ['', 'tags=', 'tags=%20&tags=']) {
      expect(() => parseQuery(byTagQuery, new URLSearchParams(query), CURSORS)).to.throw(
        ValidationError,
        "'tags' query parameter is required",
      );
    }
  });
});
