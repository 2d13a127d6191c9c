import { expect } from 'chai';
import { newestStates } from '../../../../projectors/vector-indexer/newest-states.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { deleted, erased, stored } from '../../../support/fixtures/projector-events.js';

describe('newestStates', () => {
  it('keeps the newest version of each memory, for any order of the events', () => {
    const { states } = newestStates([
      stored(1, { version: 2, content: 'new' }),
      stored(1, { content: 'old' }),
      stored(2),
    ]);
    expect(states.map(({ version, state }) => [state.memory.content, version])).to.deep.equal([
      ['new', 2],
      ['memory 2', 1],
    ]);
  });

  it('prefers a deletion to every older state', () => {
    const batch = [stored(1), deleted(1, 3), stored(1, { version: 2 })];
    expect(newestStates(batch)).to.deep.equal({ states: [], deletions: [{ id: memoryId(1), version: 3 }] });
  });

  it('returns a deletion whose data are erased', () => {
    expect(newestStates([erased(deleted(1, 2))]).deletions).to.deep.equal([{ id: memoryId(1), version: 2 }]);
  });

  it('leaves out erased states', () => {
    expect(newestStates([erased(stored(1))])).to.deep.equal({ states: [], deletions: [] });
  });
});
