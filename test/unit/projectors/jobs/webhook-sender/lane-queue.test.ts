import { expect } from 'chai';
import {
  type Attempt,
  CONCURRENT_REQUESTS,
  createLaneQueue,
  type LaneQueue,
} from '../../../../../projectors/jobs/webhook-sender/lane-queue.js';
import type { RecordedEvent } from '../../../../../shared/contract/events.js';
import type { Delivery } from '../../../../../shared/ports/webhooks.js';
import { stored } from '../../../../support/fixtures/projector-events.js';

const START = Date.parse('2024-06-01T00:00:00Z');

/** Without jitter: the back-off is 1 s, 2 s, 4 s ... */
function open(given: { readonly position?: number; readonly known?: readonly Delivery[] } = {}): LaneQueue {
  return createLaneQueue({ position: 0, known: [], isChosen: () => true, random: () => 1, ...given });
}

/** Version by version: each event of one memory follows the one before. */
function events(numbers: readonly number[]): readonly RecordedEvent[] {
  const versions = new Map<number, number>();
  return numbers.map((number, index) => {
    const version = (versions.get(number) ?? 0) + 1;
    versions.set(number, version);
    return { ...stored(number, { version }), position: index + 1 };
  });
}

function add(queue: LaneQueue, added: readonly RecordedEvent[], through = added.length): void {
  queue.addPage(added, through, START);
}

const ok = (at = START): Attempt => ({
  ...{ isDelivered: true, httpStatus: 200, error: null, retryAfterSeconds: null },
  ...{ startedAt: at, durationMs: 0 },
});
const bad = (at = START, retryAfterSeconds: number | null = null): Attempt => ({
  ...{ isDelivered: false, httpStatus: 500, error: 'answered 500', retryAfterSeconds },
  ...{ startedAt: at, durationMs: 0 },
});

/** Begins what may begin. */
function begun(queue: LaneQueue, now = START) {
  const entries = [];
  for (let entry = queue.next(now); entry !== null; entry = queue.next(now)) {
    queue.begin(entry);
    entries.push(entry);
  }
  return entries;
}
const positions = (entries: readonly { readonly position: number }[]) => entries.map(({ position }) => position);

describe('createLaneQueue', () => {
  it('sends events of one memory one after the other', () => {
    const queue = open();
    add(queue, events([1, 1, 2, 1, 3]));
    const first = begun(queue);
    expect(positions(first)).to.deep.equal([1, 3, 5]);
    queue.settle(first[0]!, ok());
    expect(positions(begun(queue))).to.deep.equal([2]);
  });

  it('has a limited number of requests at once', () => {
    const queue = open();
    add(queue, events(Array.from({ length: 20 }, (_, index) => index + 1)));
    expect(begun(queue)).to.have.length(CONCURRENT_REQUESTS);
  });

  it('sends a failed event again after a growing wait', () => {
    const queue = open();
    add(queue, events([1, 1, 2]));
    const [one, two] = begun(queue);
    expect(queue.settle(one!, bad())).to.deep.include({
      state: 'failing',
      attempts: 1,
      nextAttemptAt: '2024-06-01T00:00:01+00:00',
    });
    queue.settle(two!, ok());
    expect(begun(queue, START + 999)).to.deep.equal([]);
    expect(positions(begun(queue, START + 1_000))).to.deep.equal([1]);
    expect(queue.settle(one!, bad(START + 1_000))).to.deep.include({
      attempts: 2,
      firstAttemptAt: '2024-06-01T00:00:00+00:00',
      nextAttemptAt: '2024-06-01T00:00:03+00:00',
    });
    for (let attempts = 3; attempts < 20; attempts += 1) {
      queue.begin(one!);
      const { nextAttemptAt } = queue.settle(one!, bad());
      expect(Date.parse(nextAttemptAt ?? '') - START).to.equal(Math.min(3_600_000, 1_000 * 2 ** (attempts - 1)));
    }
  });

  it('holds every event as long as the receiver asks, at most an hour', () => {
    const queue = open();
    add(queue, events([1, 2]));
    const [one, two] = begun(queue);
    queue.settle(one!, bad(START, 100_000));
    queue.settle(two!, ok());
    add(queue, [{ ...stored(3), position: 3 }], 3);
    expect(begun(queue, START + 3_599_999)).to.deep.equal([]);
    expect(positions(begun(queue, START + 3_600_000))).to.deep.equal([1, 3]);
  });

  it('probes a receiver that is down with one event at a time', () => {
    const queue = open();
    add(queue, events(Array.from({ length: 40 }, (_, index) => index + 1)));
    for (const entry of begun(queue)) queue.settle(entry, bad());
    for (const entry of begun(queue)) queue.settle(entry, bad());
    expect(begun(queue), 'down').to.deep.equal([]);
    const [probe, ...others] = begun(queue, START + 1_000);
    expect(others).to.deep.equal([]);
    queue.settle(probe!, bad(START + 1_000));
    expect(begun(queue, START + 2_999)).to.deep.equal([]);
    const [second] = begun(queue, START + 3_000);
    queue.settle(second!, ok(START + 3_000));
    expect(begun(queue, START + 3_000)).to.have.length(CONCURRENT_REQUESTS);
  });

  it('saves the position before the oldest undelivered event', () => {
    const queue = open();
    add(queue, events([1, 2, 3]), 10);
    const [one, two, three] = begun(queue);
    queue.settle(two!, ok());
    queue.settle(one!, bad());
    const progress = queue.progress()!;
    expect(progress).to.deep.include({
      position: 0,
      failingSince: '2024-06-01T00:00:00+00:00',
      lastError: 'answered 500',
    });
    expect(positions(progress.deliveries)).to.deep.equal([2, 1]);
    queue.saved(progress);
    expect(queue.progress()).to.equal(null);

    queue.settle(three!, ok());
    queue.begin(one!);
    queue.settle(one!, ok());
    expect(queue.progress()).to.deep.include({ position: 10, failingSince: null, lastError: null });
  });

  it('keeps a change that was made while progress was saved', () => {
    const queue = open();
    add(queue, events([1]));
    const [one] = begun(queue);
    queue.settle(one!, bad());
    const progress = queue.progress()!;
    queue.begin(one!);
    queue.settle(one!, bad());
    queue.saved(progress);
    expect(queue.progress()?.deliveries[0]?.attempts).to.equal(2);
  });

  it('continues with what the log says of events after the position', () => {
    const before = open();
    add(before, events([1, 2, 2]));
    const [one, two] = begun(before);
    before.settle(one!, bad());
    before.settle(two!, ok());
    const { position, deliveries } = before.progress()!;

    const queue = open({ position, known: deliveries });
    add(queue, events([1, 2, 2]));
    expect(positions(begun(queue, START + 999)), 'the delivered event is not sent again').to.deep.equal([3]);
    const [again] = begun(queue, START + 1_000);
    expect(queue.mustRead(again!, START + 1_000)).to.equal(true);
    expect(queue.settle(again!, bad(START + 1_000))).to.include({ attempts: 2 });
  });

  it('sends another event at a position of the log: the journal went back', () => {
    const before = open();
    add(before, events([1]));
    for (const entry of begun(before)) before.settle(entry, ok());
    const queue = open({ known: before.progress()!.deliveries });
    add(queue, events([2]));
    expect(positions(begun(queue))).to.deep.equal([1]);
  });

  it('moves the position over events that need no delivery', () => {
    const delivered = open();
    add(delivered, events([1, 2]));
    for (const entry of begun(delivered)) delivered.settle(entry, ok());
    const queue = createLaneQueue({
      position: 0,
      known: delivered.progress()!.deliveries,
      isChosen: ({ position }) => position < 3,
    });
    add(queue, events([1, 2, 3, 4]), 7);
    expect(queue.progress()).to.deep.include({ position: 7, deliveries: [] });
  });

  it('reads on while another memory can be sent, and no further than its limits', () => {
    const queue = open();
    const page = (from: number, number: (at: number) => number) =>
      Array.from({ length: 100 }, (_, index) => ({
        ...stored(number(from + index), { version: index + 1 }),
        position: from + index,
      }));
    add(
      queue,
      page(1, () => 1),
      100,
    );
    expect(queue.readAfter(), 'enough is loaded').to.equal(null);
    const [one] = begun(queue);
    queue.settle(one!, bad());
    expect(queue.readAfter()).to.equal(100);
    add(
      queue,
      page(101, () => 1),
      200,
    );
    expect(queue.readAfter(), 'events that wait for a failed one are not loaded').to.equal(200);
    for (let from = 201; from < 1_000; from += 100)
      add(
        queue,
        page(from, () => 1),
        from + 99,
      );
    expect(queue.readAfter(), 'enough waits').to.equal(null);
  });

  it('reads no further than 10,000 events beyond an undelivered one', () => {
    const queue = open();
    let [at, furthest] = [0, 0];
    while (queue.readAfter() !== null && at < 20_000) {
      at += 1;
      add(queue, [{ ...stored(at), position: at }], at);
      furthest = at;
      for (const entry of begun(queue)) queue.settle(entry, entry.position === 1 ? bad() : ok());
    }
    expect(furthest).to.equal(10_000);
  });

  it('reads an event again that was read more than a minute ago', () => {
    const queue = open();
    add(queue, events([1]));
    const entry = queue.next(START)!;
    expect(queue.mustRead(entry, START + 60_000)).to.equal(false);
    expect(queue.mustRead(entry, START + 60_001)).to.equal(true);
    queue.reload(entry, entry.event!, START + 60_001);
    expect(queue.mustRead(entry, START + 60_001)).to.equal(false);
  });
});
