import { expect } from 'chai';
import { createActivityQueue } from '../../../../query-api/stream/create-activity-queue.js';
import { createBell } from '../../../../query-api/stream/create-bell.js';
import { storeActivity } from '../../../../query-api/stream/store-activity.js';
import { associated, deleted, recorded, SOME_TIME, stored } from '../../../support/events.js';

const clock = { now: () => new Date('2024-01-01T10:00:00.250Z') };

describe('the queue of activity of one client', () => {
  it('hands out all that waits, once and in order', () => {
    const queue = createActivityQueue({ limit: 3, clock });
    expect(queue.take()).to.deep.equal([]);
    for (const frame of ['a', 'b', 'c']) queue.offer(frame);
    expect([queue.take(), queue.take()]).to.deep.equal([['a', 'b', 'c'], []]);
  });

  it('keeps the oldest, and says behind them how many were dropped', () => {
    const queue = createActivityQueue({ limit: 2, clock });
    for (const frame of ['a', 'b', 'c', 'd']) queue.offer(frame);
    const taken = queue.take();
    expect(taken.slice(0, 2)).to.deep.equal(['a', 'b']);
    expect(taken.slice(2)).to.deep.equal([
      'data: {"type":"stream.dropped","timestamp":"2024-01-01T10:00:00.250000+00:00","data":{"count":2}}\n\n',
    ]);
    queue.offer('e');
    expect(queue.take(), 'and not twice').to.deep.equal(['e']);
  });
});

describe('the activity of a store', () => {
  it('is what watchers have always read, cut to what they show', () => {
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

  it('has never taken less than no time, whatever the clocks say', () => {
    expect(storeActivity(recorded(stored(1), 1), new Date(0))?.data).to.include({ elapsed_ms: 0 });
  });

  it('is of stores alone, and of those whose words are there', () => {
    for (const event of [
      recorded(deleted(1, 2), 2),
      recorded(associated(1, 2), 3),
      { ...recorded(stored(1), 1), data: null },
    ]) {
      expect(storeActivity(event, clock.now())).to.equal(null);
    }
  });
});

describe('a bell', () => {
  it('wakes who waits, and keeps one ring for who comes later', async () => {
    const { ring, wait } = createBell();
    const waiting = wait(60_000);
    ring();
    expect(await waiting).to.equal('rung');
    ring();
    ring();
    expect([await wait(60_000), await wait(1)]).to.deep.equal(['rung', 'silent']);
  });
});
