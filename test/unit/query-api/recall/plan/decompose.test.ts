import { expect } from 'chai';
import { decompose, namesIn, topicsIn } from '../../../../../query-api/recall/plan/decompose.js';

describe('decompose', () => {
  const possessive = "Would Caroline pursue writing with John's sister Ann in May?";
  const career = 'Would Caroline pursue writing as a career option today?';

  it("finds the names of the contract's example", () => {
    expect(namesIn(possessive)).to.have.members(['Caroline', 'John', 'Ann']);
  });

  it("finds the topics of the contract's example", () => {
    expect(topicsIn(career, ['Caroline'])).to.deep.equal(['writing', 'career', 'option', 'today']);
  });

  it('searches for each name, each name with each topic, and plans for a career', () => {
    expect(decompose(career)).to.deep.equal([
      'Caroline',
      'Caroline writing',
      'Caroline career',
      'Caroline option',
      'Caroline interests goals plans',
    ]);
  });

  it('searches for at most two names', () => {
    expect(decompose(possessive)).to.deep.equal([
      'Caroline',
      'Caroline writing',
      'Caroline sister',
      'John',
      'John writing',
      'John sister',
    ]);
  });

  it('searches for the first three topics when the question has no name', () => {
    expect(decompose('where does the gateway drop requests after restart')).to.deep.equal([
      'gateway',
      'drop',
      'requests',
    ]);
  });

  for (const [question, names] of [
    ['Redis is fast. Postgres is safe', []],
    ["Caroline's cat and Mel’s dog", ['Caroline', 'Mel']],
    ["What's new? It's here. I'm off, I think, and so is He", []],
    ['Did the American leave on Monday in September with French friends', []],
    ['did she move to New York with Ann', ['New York', 'Ann']],
    ["when did John's Ann call", ['John', 'Ann']],
    ['has anyone met Ann, Bob and Ann', ['Ann', 'Bob']],
    ["was it O'Brien", ["O'Brien"]],
    ['wann kommt Jürgen nach Köln', ['Jürgen', 'Köln']],
    ['データベースの接続', []],
    ['', []],
  ] as const) {
    it(`finds ${names.length === 0 ? 'no name' : names.join(', ')} in ${JSON.stringify(question).slice(0, 50)}`, () =>
      expect(namesIn(question)).to.deep.equal(names));
  }

  it('returns no query for a question that equals its topic or has none', () => {
    expect(decompose(' Gateway ')).to.deep.equal([]);
    expect(decompose('what was it like')).to.deep.equal([]);
  });

  it('returns at most ten queries for a very long text', () => {
    for (const text of [
      "Ann's ".repeat(20_000),
      '!'.repeat(100_000),
      Array.from({ length: 9_000 }, (_, index) => `a Name${index}, career`).join(' '),
    ]) {
      expect(decompose(text).length).to.be.at.most(10);
    }
  });
});
