import { expect } from 'chai';
import { neighbourSupport } from '../../../query-api/recall/surroundings/neighbour-support.js';
import { sessionSupport } from '../../../query-api/recall/surroundings/session-support.js';
import { scopeOf, sessionsOf } from '../../../query-api/recall/surroundings/sessions.js';
import type { Memory } from '../../../shared/contract/memory.js';
import { memoryOf } from './memories.js';

const at = (time: string, fields: Partial<Memory> = {}): Memory =>
  memoryOf(1, { timestamp: `2024-05-01T${time}:00+00:00`, tags: ['thread/9'], ...fields });
const indexes = (memories: readonly Memory[], isScoped = false) =>
  sessionsOf(memories, isScoped).map((session) => session.map(({ index }) => index));

describe('sessions', () => {
  it('are runs of one scope in the order of time, without a gap of more than 30 minutes', () => {
    expect(indexes([at('12:30'), at('12:00'), at('13:00'), at('13:31')])).to.deep.equal([[1, 0, 2], [3]]);
  });

  it('keep scopes apart', () => {
    expect(indexes([at('12:00'), at('12:01', { tags: ['thread/8'] }), at('12:02')])).to.deep.equal([[0, 2], [1]]);
  });

  it('take memories without a scope of their own where the request has tags', () => {
    const loose = [memoryOf(1, { tags: ['a'] }), memoryOf(2, { tags: ['a'] })];
    expect(indexes(loose)).to.deep.equal([[0], [1]]);
    expect(indexes(loose, true)).to.deep.equal([[0, 1]]);
  });

  it('have the scope that a tag or the metadata names', () => {
    expect(scopeOf({ tags: ['x', 'Session:7'], metadata: {} })).to.equal('session:7');
    expect(scopeOf({ tags: ['sessions', 'session:'], metadata: { conversation_id: 'c1' } })).to.equal('id c1');
    expect(scopeOf({ tags: [], metadata: { session_id: 5 } })).to.equal(null);
  });
});

describe('the support of neighbours', () => {
  const session = (...times: readonly number[]) => [times.map((time, index) => ({ index, at: time }))];

  it('is the best match of the two beside, or nearly its own', () => {
    expect(neighbourSupport(session(1, 2, 3), [0.2, 0.5, 0.6])).to.deep.equal([0.5, 0.6, 0.5]);
  });

  it('does not come from what bears the same time', () => {
    expect(neighbourSupport(session(1, 1, 3), [0.5, 0.5, 0.6])).to.deep.equal([0.35, 0.6, 0.5]);
  });

  it('lifts a full match as much as what stands beside it', () => {
    for (const own of [0, 0.3, 0.6, 0.9]) {
      const [match = 0, beside = 0] = neighbourSupport(session(1, 2), [1, own]);
      expect(match).to.equal(1);
      expect(beside).to.equal(1);
    }
  });
});

describe('the support of a session', () => {
  const places = (...of: readonly number[]) => of.map((index) => ({ index, at: index }));

  it('is its share of what the best session has', () => {
    expect(sessionSupport([places(0, 1), places(2, 3)], [1, 0, 0.5, 0])).to.deep.equal([1, 1, 0.25, 0.25]);
  });

  it('prefers one strong match to many weak ones', () => {
    const [strong = 0, , weak = 0] = sessionSupport(
      [places(0, 1), places(2, 3, 4, 5, 6, 7, 8)],
      [0.9, 0, ...Array<number>(7).fill(0.3)],
    );
    expect(strong).to.be.greaterThan(weak);
  });

  it('is nothing where nothing matches', () => {
    expect(sessionSupport([places(0, 1)], [0, 0])).to.deep.equal([0, 0]);
  });
});
