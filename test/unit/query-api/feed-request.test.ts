import { expect } from 'chai';
import { feedRequestOf } from '../../../query-api/feed/feed-request.js';
import { parseSubject } from '../../../query-api/feed/parse-subject.js';
import { FEED_SCAN_LIMIT } from '../../../shared/contract/limits.js';
import { numberedId } from '../../support/events.js';

const [one, two] = [numberedId(1), numberedId(2)];

describe('what a reader of the feed asks for', () => {
  it('is everything from the beginning, at once, when it says nothing', () => {
    expect(feedRequestOf({})).to.deep.equal({ after: 0, limit: 100, waitMs: 0, scanEnd: Infinity });
  });

  it('looks at so many positions at most when only types narrow it', () => {
    expect(feedRequestOf({ after: 7, type: ['memory.stored', 'memory.stored'] })).to.deep.include({
      types: ['memory.stored'],
      scanEnd: 7 + FEED_SCAN_LIMIT,
    });
    expect(feedRequestOf({ type: ['memory.stored'], subject: one })).to.include({ subject: one, scanEnd: Infinity });
  });

  it('is refused by the name of the known types', () => {
    expect(() => feedRequestOf({ type: ['toString'] })).to.throw(
      /'type' "toString" .*memory\.stored, .*association\.updated/u,
    );
  });
});

describe('a subject', () => {
  it('is a memory or an association, however its ids are spelt', () => {
    expect(parseSubject(one.toUpperCase())).to.equal(one);
    expect(parseSubject(`{${one}}|LEADS_TO|${two.replaceAll('-', '')}`)).to.equal(`${one}|LEADS_TO|${two}`);
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      '|',
      one.slice(1),
      `${one}|`,
      `${one}|LEADS_TO`,
      `${one}|LEADS_TO|x`,
      `${one}|toString|${two}`,
      `${one}|leads_to|${two}`,
      `${one}|LEADS_TO|${two}|`,
    ]) {
      expect(parseSubject(text), text).to.equal(null);
    }
  });
});
