import { expect } from 'chai';
import { createActivityQueue } from '../../../../query-api/live-stream/serve-watcher.js';

const clock = { now: () => new Date('2024-01-01T10:00:00.250Z') };

describe('activity queue', () => {
  it('returns all waiting frames once, in order', () => {
    const queue = createActivityQueue({ limit: 3, clock });
    expect(queue.take()).to.deep.equal([]);
    for (const frame of ['a', 'b', 'c']) queue.offer(frame);
    expect([queue.take(), queue.take()]).to.deep.equal([['a', 'b', 'c'], []]);
  });

  it('keeps the oldest frames and reports the number of dropped ones after them', () => {
    const queue = createActivityQueue({ limit: 2, clock });
    for (const frame of ['a', 'b', 'c', 'd']) queue.offer(frame);
    const taken = queue.take();
    expect(taken.slice(0, 2)).to.deep.equal(['a', 'b']);
    expect(taken.slice(2)).to.deep.equal([
      'data: {"type":"stream.dropped","timestamp":"2024-01-01T10:00:00.250000+00:00","data":{"count":2}}\n\n',
    ]);
    queue.offer('e');
    expect(queue.take(), 'reported once').to.deep.equal(['e']);
  });
});
