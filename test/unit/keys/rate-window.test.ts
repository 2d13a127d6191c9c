/** The windows of a key with a rate, in one process and in several that share its row. */
import { expect } from 'chai';
import type { Timestamp } from '../../../shared/contract/memory.js';
import { createRateWindow, type RateWindow } from '../../../shared/keys/rate-window.js';
import type { Key } from '../../../shared/ports/keys.js';
import { rejection } from '../../support/checks/rejection.js';

const WINDOW_MS = 60_000;
const AT = '2026-06-01T08:30:00+00:00' as Timestamp;

describe('the window of a rate', () => {
  let now: number;
  beforeEach(() => (now = 1_000));
  const open = (key: Key = keyWith(null)) => createRateWindow(key, { windowMs: WINDOW_MS, now: () => now });
  const takeAll = (window: RateWindow, limit: number, requests: number) =>
    Array.from({ length: requests }, () => window.take(limit)).filter(({ isExceeded }) => !isExceeded).length;

  it('has as many requests as the rate, and returns what is left', () => {
    const window = open();
    expect(window.take(2)).to.deep.equal({
      limit: 2,
      windowMs: WINDOW_MS,
      remaining: 1,
      resetMs: WINDOW_MS,
      isExceeded: false,
    });
    now += 12_500;
    expect(window.take(2)).to.include({ remaining: 0, resetMs: 47_500, isExceeded: false });
    expect(window.take(2)).to.include({ remaining: 0, resetMs: 47_500, isExceeded: true });
    now += 47_499;
    expect(window.take(2)).to.include({ resetMs: 1, isExceeded: true });
    now += 1;
    expect(window.take(2)).to.include({ remaining: 1, resetMs: WINDOW_MS, isExceeded: false });
  });

  it('continues the window of the row at its age', () => {
    const window = open(keyWith({ requests: 9, ageMs: 50_000 }));
    expect(window.take(10)).to.include({ remaining: 0, resetMs: 10_000 });
    expect(window.take(10)).to.include({ isExceeded: true });
    for (const ageMs of [WINDOW_MS, -1])
      expect(open(keyWith({ requests: 10, ageMs })).take(10)).to.include({ remaining: 9, resetMs: WINDOW_MS });
  });

  it('reports each served request once, and no refused one', async () => {
    const window = open();
    const row = rowOf(() => now);
    takeAll(window, 5, 8);
    expect(window.unreported()).to.equal(5);
    await window.report(row.add);
    await window.report(row.add);
    expect(row.reports).to.deep.equal([5, 0]);
    expect(window.take(5)).to.include({ isExceeded: true });
  });

  it('is shared by processes that report', async () => {
    const row = rowOf(() => now);
    const [first, second] = [open(), open()];
    expect(takeAll(first, 100, 60)).to.equal(60);
    await first.report(row.add);
    now += 400;
    expect(takeAll(second, 100, 30)).to.equal(30);
    await second.report(row.add);
    expect(takeAll(second, 100, 30), 'knows the requests of the first').to.equal(10);
    await second.report(row.add);
    await first.report(row.add);
    expect(first.take(100), 'ends for both at the time of the row').to.include({ isExceeded: true, resetMs: 59_600 });
    now += 59_600;
    expect(takeAll(first, 100, 200)).to.equal(100);
  });

  it('reports requests again after a failure, and once while it is slow', async () => {
    const window = open();
    const row = rowOf(() => now);
    takeAll(window, 10, 3);
    const down = new Error('down');
    expect(await rejection(window.report(() => Promise.reject(down)))).to.equal(down);
    let answer: () => void = () => undefined;
    const slow = window.report(async (requests) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return row.add(requests);
    });
    expect(takeAll(window, 10, 2)).to.equal(2);
    await window.report(row.add);
    answer();
    await slow;
    await window.report(row.add);
    expect(row.reports).to.deep.equal([0, 3, 2]);
    expect(takeAll(window, 10, 9)).to.equal(5);
  });

  it('limits by its own count while no report succeeds', async () => {
    const window = open();
    for (const minute of [1, 2]) {
      expect(takeAll(window, 10, 30), `minute ${minute}`).to.equal(10);
      await rejection(window.report(() => Promise.reject(new Error('down'))));
      now += WINDOW_MS;
    }
    const row = rowOf(() => now);
    await window.report(row.add);
    expect(row.reports, 'nothing of a window that is over').to.deep.equal([0]);
  });
});

/** The row of a key, as the table keeps it. */
function rowOf(now: () => number) {
  const reports: number[] = [];
  let window = { startedAt: -Infinity, requests: 0 };
  return {
    reports,
    add: async (requests: number): Promise<Key> => {
      reports.push(requests);
      if (requests > 0 && now() - window.startedAt >= WINDOW_MS) window = { startedAt: now(), requests: 0 };
      window.requests += requests;
      return keyWith({ requests: window.requests, ageMs: now() - window.startedAt });
    },
  };
}

function keyWith(window: Key['window']): Key {
  return {
    id: '0197281b-6f40-4c5e-9d3a-51c7e2b80a11',
    name: 'agent-1',
    scopes: ['memories:read'],
    tag: null,
    expiresAt: null,
    requestsPerMinute: 10,
    window,
    previousUntil: null,
    lastUsedAt: null,
    uses: 0,
    createdAt: AT,
    updatedAt: AT,
  };
}
