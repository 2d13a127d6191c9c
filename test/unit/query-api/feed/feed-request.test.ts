import { expect } from 'chai';
import { feedRequestOf, parseSubject } from '../../../../query-api/feed/feed-request.js';
import { FEED_SCAN_LIMIT } from '../../../../shared/contract/limits.js';
import { numberedId } from '../../../support/fixtures/events.js';

const [one, two] = [numberedId(1), numberedId(2)];

describe('feedRequestOf', () => {
  it('reads everything from the beginning without a wait by default', () => {
    expect(feedRequestOf({})).to.deep.equal({ after: 0, limit: 100, waitMs: 0, scanEnd: Infinity });
  });

  it('limits the positions it reads when only types filter them', () => {
    expect(feedRequestOf({ after: 7, type: ['memory.stored', 'memory.stored'] })).to.deep.include({
      types: ['memory.stored'],
      scanEnd: 7 + FEED_SCAN_LIMIT,
    });
    expect(feedRequestOf({ type: ['memory.stored'], subject: one })).to.include({ subject: one, scanEnd: Infinity });
  });

  it('rejects an unknown type with the list of the known types', () => {
    expect(() => feedRequestOf({ type: ['toString'] })).to.throw(
      /'type' "toString" .*memory\.stored, .*association\.updated/u,
    );
  });
});

describe('parseSubject', () => {
  it('reads a memory or an association in any spelling of its ids', () => {
    expect(parseSubject(one.toUpperCase())).to.equal(one);
    expect(parseSubject(`{${one}}|LEADS_TO|${two.replaceAll('-', '')}`)).to.equal(`${one}|LEADS_TO|${two}`);
  });

  it('rejects any other text', () => {
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
