import { expect } from 'chai';
import type { RecordedEvent } from '../../../../../shared/contract/events.js';
import {
  createGraphGuard,
  type GraphGuard,
  REFUSED_SUBJECTS,
} from '../../../../../shared/engines/postgres/commit/graph-guard.js';
import { DependencyError } from '../../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { numberedId, stored, updated } from '../../../../support/fixtures/events.js';
import { recordTraces } from '../../../../support/observability/trace-recorder.js';

const timedOut = new DependencyError('graph', 'timed out', { isReachable: true });
const disconnected = new DependencyError('graph', 'no connection');

describe('graph guard', () => {
  let applied: number[];
  let failures: Map<number, unknown>;
  let guard: GraphGuard;
  let time: number;
  beforeEach(() => {
    applied = [];
    time = 0;
    failures = new Map();
    guard = createGraphGuard({
      logger: silentLogger,
      now: () => time,
      graph: {
        ping: () => Promise.resolve(),
        apply: async (events) => {
          const failure = events.find(({ position }) => failures.has(position));
          if (failure) throw failures.get(failure.position);
          applied.push(...events.map(({ position }) => position));
        },
      },
    });
  });

  const events = [stored(1), stored(2), updated(2, 2), stored(3)].map(
    (event, index) => ({ ...event, position: index + 1 }) as RecordedEvent,
  );

  for (const failure of [timedOut, new TypeError('a bug of the adapter')]) {
    it(`rejects only the event that fails with ${failure.name} and stays up`, async () => {
      failures.set(1, failure);
      const rejected = await guard.apply(events);
      expect([...rejected.keys()]).to.deep.equal([1]);
      expect(applied).to.have.members([2, 3, 4]);
      guard.requireUp();
    });
  }

  it('holds back the later events of a subject after a rejected one', async () => {
    failures.set(2, timedOut);
    const rejected = await guard.apply(events);
    expect([...rejected.keys()]).to.deep.equal([2, 3]);
    expect(events[2]?.subject).to.equal(numberedId(2));
    expect(applied).to.have.members([1, 4]);
  });

  it('applies events of an earlier time in the trace of their request', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traces = recordTraces();
    try {
      await guard.apply(events.map((event) => ({ ...event, traceparent: `00-${traceId}-b7ad6b7169203331-01` })));
      const [span] = traces.ofTrace(traceId);
      expect(span).to.deep.include({ name: 'apply to graph', attributes: { 'palimpsest.events': 4 } });
    } finally {
      await traces.close();
    }
  });

  it('answers for the other subjects while one event still runs alone', async () => {
    const running = new Promise<void>(() => undefined);
    let attempts = 0;
    const limits: unknown[] = [];
    const stuck = createGraphGuard({
      logger: silentLogger,
      graph: {
        ping: () => Promise.resolve(),
        apply: (given, limit) => {
          attempts += 1;
          limits.push(limit);
          if (attempts === 1) return Promise.reject(timedOut);
          return given.some(({ position }) => position === 1) ? running : Promise.resolve();
        },
      },
    });
    const parts = await stuck.applyInParts(events);
    const ended = parts.filter(({ events: [first] }) => first?.position !== 1).map(({ rejected }) => rejected);
    expect((await Promise.all(ended)).map(({ size }) => size)).to.deep.equal([0, 0]);
    expect(limits[0], 'the limit of the group').to.deep.equal({ timeoutMs: 1_040 });
    expect(limits.slice(1)).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  describe('with a graph too slow for it all', () => {
    const hundred = Array.from(
      { length: 100 },
      (_, index) => ({ ...stored(index + 1), position: index + 1 }) as RecordedEvent,
    );

    /** Finishes at most 30 events in time, and never one at a position of `poison`. */
    function slowGuard(poison?: number) {
      const calls: { readonly events: number; readonly limit: unknown }[] = [];
      const slow = createGraphGuard({
        logger: silentLogger,
        graph: {
          ping: () => Promise.resolve(),
          apply: async (given, limit) => {
            calls.push({ events: given.length, limit });
            if (given.length > 30 || given.some(({ position }) => position === poison)) throw timedOut;
          },
        },
      });
      return { slow, calls };
    }

    it('applies it in parts, each with its time', async () => {
      const { slow, calls } = slowGuard();
      expect((await slow.apply(hundred)).size).to.equal(0);
      const part = { events: 25, limit: { timeoutMs: 1_250 } };
      expect(calls).to.deep.equal([{ events: 100, limit: { timeoutMs: 2_000 } }, part, part, part, part]);
    });

    it('rejects one event after few attempts', async () => {
      const { slow, calls } = slowGuard(60);
      expect([...(await slow.apply(hundred)).keys()]).to.deep.equal([60]);
      expect(calls.filter(({ limit }) => limit === undefined).length, 'subjects alone').to.be.at.most(4);
      expect(calls.length).to.be.at.most(16);
    });
  });

  it('rejects a single event after one attempt', async () => {
    failures.set(1, timedOut);
    const [[position, rejection] = []] = await guard.apply(events.slice(0, 1));
    expect([position, rejection?.error]).to.deep.equal([1, timedOut]);
  });

  it('is down without a connection until a probe succeeds', async () => {
    failures.set(4, disconnected);
    expect(await rejection(guard.apply(events))).to.include({ message: 'Graph database unavailable' });
    expect(() => guard.requireUp()).to.throw(DependencyError);
    expect(applied).to.deep.equal([]);
    await guard.probe();
    guard.requireUp();
  });

  it('is up before the events that end an outage are visible', async () => {
    let isDown = true;
    const duringApply: boolean[] = [];
    const answer = () => (isDown ? Promise.reject(disconnected) : Promise.resolve());
    const isUp = (): boolean => {
      try {
        recovering.requireUp();
        return true;
      } catch {
        return false;
      }
    };
    const recovering = createGraphGuard({
      logger: silentLogger,
      graph: {
        ping: answer,
        apply: async () => {
          await answer();
          duringApply.push(isUp());
        },
      },
    });
    await rejection(recovering.apply(events));
    await rejection(recovering.apply(events));
    expect(isUp(), 'during the outage').to.equal(false);
    isDown = false;
    await recovering.apply(events);
    expect(duringApply).to.deep.equal([true]);
  });

  const many = Array.from(
    { length: REFUSED_SUBJECTS },
    (_, index) => ({ ...stored(index + 1), position: index + 1 }) as RecordedEvent,
  );

  it('refuses commands when many subjects fail alone, until an event is applied', async () => {
    for (const { position } of many) failures.set(position, timedOut);
    await guard.apply(many.slice(1));
    guard.requireUp();
    expect(guard.isRefusing(), 'one subject less').to.equal(false);
    await guard.apply(many.slice(0, 1));
    expect(guard.isRefusing()).to.equal(true);
    await guard.probe();
    expect(() => guard.requireUp(), 'after an answered ping').to.throw(DependencyError);
    time += 10_000;
    guard.requireUp();
    expect(() => guard.requireUp(), 'after one trial').to.throw(DependencyError);
    failures.delete(2);
    await guard.apply(many.slice(1, 2));
    expect(guard.isRefusing()).to.equal(false);
    guard.requireUp();
  });

  it('blames the events that fail alone while others are applied', async () => {
    for (const { position } of many) failures.set(position, timedOut);
    const good = { ...stored(100), position: 100 } as RecordedEvent;
    for (const event of [...many.slice(1), good, ...many.slice(0, 1)]) await guard.apply([event]);
    expect(guard.isRefusing()).to.equal(false);
  });

  it('is down when the connection is lost between events that are applied alone', async () => {
    failures.set(1, timedOut);
    for (const position of [2, 3, 4]) failures.set(position, disconnected);
    await rejection(guard.apply(events));
    expect(() => guard.requireUp()).to.throw(DependencyError);
  });
});
