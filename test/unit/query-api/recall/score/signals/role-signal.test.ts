import { expect } from 'chai';
import { roleSignal } from '../../../../../../query-api/recall/score/signals/signals.js';

describe('roleSignal', () => {
  it('is 1 for what the user said, by role or by prefix', () => {
    expect(roleSignal({ content: 'I moved to Bonn', metadata: { role: 'User' } })).to.equal(1);
    expect(roleSignal({ content: 'User: I moved to Bonn', metadata: {} })).to.equal(1);
    expect(roleSignal({ content: 'human: I moved to Bonn', metadata: {} })).to.equal(1);
  });

  it('is 0 for the assistant and for memories without roles', () => {
    expect(roleSignal({ content: 'User: I moved', metadata: { role: 'assistant' } })).to.equal(0);
    expect(roleSignal({ content: 'Assistant: you moved', metadata: {} })).to.equal(0);
    expect(roleSignal({ content: 'Users: two of them', metadata: { role: 7 } })).to.equal(0);
  });
});
