import { expect } from 'chai';
import { classifyByPattern } from '../../../../command-api/memories/content-reader.js';

const CLASSIFIED = [
  ['My favorite editor is vim', 'Preference', 0.8],
  ['we decided to go and picked x, selected y', 'Decision', 0.9],
  ['it happened when x', 'Context', 0.6],
  ['I always use tabs', 'Preference', 0.6],
  ['I always check', 'Habit', 0.6],
  ['Chose Postgres over Mongo', 'Decision', 0.6],
  ['They liked tea, but coffee better', 'Preference', 0.6],
  ['Wrote the report in a dry style', 'Style', 0.6],
  ['picked, selected, going with, will use, choosing', 'Decision', 0.95],
] as const;

describe('classifyByPattern', () => {
  for (const [content, type, confidence] of CLASSIFIED) {
    it(`reads ${type}, ${confidence}: ${content}`, () => {
      expect(classifyByPattern(content)).to.deep.equal({ type, confidence });
    });
  }

  it('returns null for a text without a cue', () => {
    expect(classifyByPattern('hello there')).to.equal(null);
  });

  it('finds texts that follow each other only within one line', () => {
    expect(classifyByPattern('I like tea.\nThis one is better.')).to.equal(null);
  });

  it('takes linear time for a hostile text', () => {
    const started = performance.now();
    classifyByPattern('wrotein'.repeat(7_000));
    expect(performance.now() - started).to.be.below(500);
  });
});
