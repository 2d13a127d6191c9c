import { expect } from 'chai';
import { scopeOf, sessionsOf } from '../../../../../../query-api/recall/score/signals/sessions.js';
import type { Memory } from '../../../../../../shared/contract/memory.js';
import { memoryOf } from '../../memories.js';

const at = (time: string, fields: Partial<Memory> = {}): Memory =>
  memoryOf(1, { timestamp: `2024-05-01T${time}:00+00:00`, tags: ['thread/9'], ...fields });
const indexes = (memories: readonly Memory[]) =>
  sessionsOf(memories.map((memory) => ({ memory, position: 0 }))).map((session) => session.map(({ index }) => index));

describe('sessions', () => {
  it('are runs of one scope without a gap of more than 30 minutes', () => {
    expect(indexes([at('12:30'), at('12:00'), at('13:00'), at('13:31')])).to.deep.equal([[1, 0, 2], [3]]);
  });

  it('have the order of microseconds, which the memories of a batch differ by', () => {
    const [first, second] = ['12:00:00.000001', '12:00:00.000002'].map((time) =>
      memoryOf(1, { timestamp: `2024-05-01T${time}+00:00`, tags: ['thread/9'] }),
    );
    if (!first || !second) throw new Error('no memories');
    const [session = []] = sessionsOf([second, first].map((memory) => ({ memory, position: 0 })));
    expect(session.map(({ index }) => index)).to.deep.equal([1, 0]);
    expect(session[0]?.at).to.be.below(session[1]?.at ?? 0);
  });

  it('have the order of writing where the times are equal', () => {
    const written = [7, 3, 5].map((position) => ({ memory: at('12:00'), position }));
    const earlier = { memory: at('11:59'), position: 9 };
    expect(sessionsOf([...written, earlier]).map((session) => session.map(({ index }) => index))).to.deep.equal([
      [3, 1, 2, 0],
    ]);
  });

  it('separate scopes', () => {
    expect(indexes([at('12:00'), at('12:01', { tags: ['thread/8'] }), at('12:02')])).to.deep.equal([[0, 2], [1]]);
  });

  it('join memories without a scope, by time alone', () => {
    const loose = [at('12:00', { tags: ['a'] }), at('12:01', { tags: ['b'] }), at('13:00', { tags: [] })];
    expect(indexes(loose)).to.deep.equal([[0, 1], [2]]);
  });

  it('have the scope of a tag or of the metadata', () => {
    expect(scopeOf({ tags: ['x', 'Session:7'], metadata: {} })).to.equal('session:7');
    expect(scopeOf({ tags: ['sessions', 'session:'], metadata: { conversation_id: 'c1' } })).to.equal('id c1');
    expect(scopeOf({ tags: [], metadata: { session_id: 5 } })).to.equal(null);
  });
});
