/** Concurrent load for fault tests: writers that keep books and try again as clients do, and a reader of health and recall beside them. */
import { expect } from 'chai';
import { setTimeout as breathe } from 'node:timers/promises';
import type { HttpCaller } from '../../support/http-caller.js';
import { RefusedError, type Ledger } from '../../support/ledger.js';

export type Load = {
  /** Commands acknowledged since the load began. */
  readonly acknowledged: () => number;
  /** Lets every writer finish what it has in doubt, then ends. Rejects when a command was refused that had to be taken. */
  readonly stop: () => Promise<Counts>;
};

export type Counts = {
  readonly sent: number;
  readonly acknowledged: number;
  /** Answers that said `try again`. */
  readonly unavailable: number;
  /** Requests whose connection broke. */
  readonly broken: number;
  /** Recalls asked beside the commands, and those of them that were not answered with 200. */
  readonly recalls: number;
  readonly recallsRefused: number;
};

const RETRY_MS = 50;
const RECALL_EVERY_MS = 200;
const REQUEST_TIMEOUT_MS = 40_000;
/** What a client with a key tries again: nothing happened, or it cannot be known. */
const TRY_AGAIN: readonly number[] = [409, 502, 503, 504];

export function startLoad(caller: HttpCaller, ledgers: readonly Ledger[]): Load {
  const counts = { sent: 0, acknowledged: 0, unavailable: 0, broken: 0, recalls: 0, recallsRefused: 0 };
  const timed: HttpCaller = {
    request: (method, path, options) => {
      counts.sent += 1;
      return caller.request(method, path, { ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    },
  };
  let running = true;

  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof RefusedError) {
        if (!TRY_AGAIN.includes(error.status)) throw error;
        counts.unavailable += 1;
      } else {
        counts.broken += 1;
      }
      await breathe(RETRY_MS);
      return false;
    }
  }

  async function recallOn(): Promise<void> {
    for (; running; await breathe(RECALL_EVERY_MS)) {
      counts.recalls += 1;
      const answer = await caller
        .request('GET', '/recall?query=ledger+entry&limit=5', { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
        .catch(() => null);
      if (answer?.status !== 200) counts.recallsRefused += 1;
    }
  }

  const acknowledgedBefore = total(ledgers);
  const writers = ledgers.map(async (ledger) => {
    while (running) await attempt(() => ledger.step(timed));
    while (!(await attempt(() => ledger.settleDoubt(timed))));
  });
  const outcomes = Promise.allSettled([...writers, recallOn()]);
  const acknowledged = (): number => total(ledgers) - acknowledgedBefore;
  return {
    acknowledged,
    stop: async () => {
      running = false;
      for (const outcome of await outcomes) if (outcome.status === 'rejected') expect.fail(String(outcome.reason));
      return { ...counts, acknowledged: acknowledged() };
    },
  };
}

function total(ledgers: readonly Ledger[]): number {
  return ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0);
}
