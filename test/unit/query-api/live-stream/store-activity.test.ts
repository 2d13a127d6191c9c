import { expect } from 'chai';
import { storeActivity } from '../../../../query-api/live-stream/event-pages.js';
import { associated, deleted, recorded, SOME_TIME, stored } from '../../../support/fixtures/events.js';

const clock = { now: () => new Date('2024-01-01T10:00:00.250Z') };

describe('activity of a stored memory', () => {
  it('has the fields that existing clients read, cut to their limits', () => {
    const tags = ['a', 'b', 'c', 'd', 'e', 'f'];
    const event = recorded(stored(1, { content: '😀'.repeat(150), tags }), 1);
    const activity = storeActivity({ ...event, time: SOME_TIME }, clock.now());
    expect(activity).to.deep.include({ type: 'memory.store', at: SOME_TIME });
    expect(activity?.data).to.deep.include({
      content_preview: '😀'.repeat(100),
      tags: tags.slice(0, 5),
      size_bytes: 600,
      elapsed_ms: 250,
    });
  });

  it('never has a negative duration, even when the clocks differ', () => {
    expect(storeActivity(recorded(stored(1), 1), new Date(0))?.data).to.include({ elapsed_ms: 0 });
  });

  it('is null for other events and for erased ones', () => {
    for (const event of [
      recorded(deleted(1, 2), 2),
      recorded(associated(1, 2), 3),
      { ...recorded(stored(1), 1), data: null },
    ]) {
      expect(storeActivity(event, clock.now())).to.equal(null);
    }
  });
});
