import { expect } from 'chai';
import { createStateResolver, lapseOf } from '../../../../../query-api/recall/hydrate/state.js';
import type { Succession } from '../../../../../shared/ports/graph.js';
import { memoryOf, NOW_TEXT, numberedId } from '../memories.js';

const EARLIER = '2024-06-01T00:00:00+00:00';
const LATER = '2024-07-01T00:00:00+00:00';

function succession(source: number, target: number, overrides: Partial<Succession> = {}): Succession {
  return {
    source: numberedId(source),
    target: numberedId(target),
    type: 'EVOLVED_INTO',
    strength: 0.9,
    updated_at: EARLIER,
    targetState: {},
    ...overrides,
  };
}

/** Reason and number of the head, as `superseded 3`. */
function states(successions: readonly Succession[], numbers: readonly number[]): readonly string[] {
  const stateOf = createStateResolver(successions, NOW_TEXT);
  return numbers.map((number) => {
    const { reason, succession: found } = stateOf(memoryOf(number));
    return [reason ?? 'current', ...(found && reason ? [Number(found.head.slice(-12))] : [])].join(' ');
  });
}

describe('the state of a memory', () => {
  it('depends on archived, t_valid and t_invalid, in this order', () => {
    expect(lapseOf({}, NOW_TEXT)).to.equal(null);
    expect(lapseOf({ archived: true, t_valid: LATER, t_invalid: EARLIER }, NOW_TEXT)).to.equal('archived');
    expect(lapseOf({ t_valid: LATER, t_invalid: EARLIER }, NOW_TEXT)).to.equal('not_yet_valid');
    expect(lapseOf({ t_invalid: EARLIER }, NOW_TEXT)).to.equal('expired');
  });

  it('is current from t_valid, and no longer at t_invalid', () => {
    expect(lapseOf({ t_valid: NOW_TEXT }, NOW_TEXT)).to.equal(null);
    expect(lapseOf({ t_invalid: NOW_TEXT }, NOW_TEXT)).to.equal('expired');
    expect(lapseOf({ t_invalid: LATER }, NOW_TEXT)).to.equal(null);
  });
});

describe('supersession', () => {
  it('resolves a chain to its head', () => {
    expect(states([succession(1, 2), succession(2, 3)], [1, 2, 3])).to.deep.equal([
      'superseded 3',
      'superseded 3',
      'current',
    ]);
  });

  it('names the first step of the chain', () => {
    const stateOf = createStateResolver(
      [succession(1, 2, { type: 'INVALIDATED_BY', strength: 0.4 }), succession(2, 3)],
      NOW_TEXT,
    );
    expect(stateOf(memoryOf(1)).succession?.successor).to.include({
      type: 'INVALIDATED_BY',
      strength: 0.4,
      target: numberedId(2),
    });
  });

  it('stops after five steps', () => {
    const chain = [1, 2, 3, 4, 5, 6, 7].map((number) => succession(number, number + 1));
    expect(states(chain, [1, 4])).to.deep.equal(['superseded 6', 'superseded 8']);
  });

  it('uses the successor that was associated last', () => {
    expect(states([succession(1, 2, { updated_at: NOW_TEXT }), succession(1, 3)], [1])).to.deep.equal(['superseded 2']);
  });

  it('ignores a lapsed successor', () => {
    expect(states([succession(1, 2, { targetState: { t_invalid: EARLIER } })], [1])).to.deep.equal(['current']);
    expect(states([succession(1, 2), succession(2, 3, { targetState: { archived: true } })], [1])).to.deep.equal([
      'superseded 2',
    ]);
    expect(
      states([succession(1, 2, { targetState: { archived: true }, updated_at: NOW_TEXT }), succession(1, 3)], [1]),
    ).to.deep.equal(['superseded 3']);
  });

  it('keeps the target of the newest association of a cycle', () => {
    const cycle = [succession(1, 2), succession(2, 1, { updated_at: NOW_TEXT })];
    expect(states(cycle, [1, 2])).to.deep.equal(['current', 'superseded 1']);
  });

  it('gives the same head to all memories that lead into a cycle', () => {
    const cycle = [succession(9, 1), succession(1, 2), succession(2, 3, { updated_at: NOW_TEXT }), succession(3, 1)];
    expect(states(cycle, [9, 1, 2, 3])).to.deep.equal(['superseded 3', 'superseded 3', 'superseded 3', 'current']);
  });

  it('keeps the reason of a lapsed memory and its head', () => {
    const stateOf = createStateResolver([succession(1, 2)], NOW_TEXT);
    expect(stateOf(memoryOf(1, { t_invalid: EARLIER }))).to.deep.include({ reason: 'expired' });
    expect(stateOf(memoryOf(1, { t_invalid: EARLIER })).succession?.head).to.equal(numberedId(2));
  });
});
