/** Concurrent load for fault tests: writers with ledgers that retry as clients do, and one reader that recalls. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { FailedRequestError, type Ledger } from '../../support/checks/ledger.js';
import type { Answer, HttpCaller } from '../../support/clients/http-caller.js';

export type Load = {
  /** Commands acknowledged since the load began. */
  readonly acknowledged: () => number;
  /**
   * Lets each writer finish its unconfirmed command, then ends. Rejects if a command got an error that clients do not
   * retry.
   */
  readonly stop: () => Promise<Counts>;
};

export type Counts = {
  readonly sent: number;
  readonly acknowledged: number;
  /** Answers with a status that clients retry, their statuses and their texts. */
  readonly unavailable: number;
  readonly statuses: ReadonlySet<number>;
  readonly refusals: ReadonlySet<string>;
  /** Requests whose connection broke. */
  readonly broken: number;
  /** Recalls during the commands, and the answers of those without a 200. */
  readonly recalls: number;
  readonly recallsRefused: readonly string[];
  /** The time of the slowest recall with a 200, and of its stages. */
  readonly slowestRecall: SlowRecall;
};

type SlowRecall = { readonly ms: number; readonly stages: string };

/** Between two commands of a writer: without a pause the load takes both cores for as long as a fault lasts. */
const PAUSE_MS = 20;
const RETRY_MS = 100;
/** A recall costs as much as ten commands, in all processes together. */
const RECALL_EVERY_MS = 500;
const REQUEST_TIMEOUT_MS = 40_000;
/** The statuses that a client with a key retries: the command had no effect, or its outcome is unknown. */
const TRY_AGAIN: readonly number[] = [409, 502, 503, 504];

export function startLoad(caller: HttpCaller, ledgers: readonly Ledger[]): Load {
  const counts = {
    sent: 0,
    acknowledged: 0,
    unavailable: 0,
    statuses: new Set<number>(),
    refusals: new Set<string>(),
    broken: 0,
    recalls: 0,
    recallsRefused: new Array<string>(),
    slowestRecall: { ms: 0, stages: '' },
  };
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
      if (error instanceof FailedRequestError) {
        if (!TRY_AGAIN.includes(error.status)) throw error;
        counts.unavailable += 1;
        counts.statuses.add(error.status);
        counts.refusals.add(error.message);
      } else {
        counts.broken += 1;
      }
      await sleep(RETRY_MS);
      return false;
    }
  }

  async function recallOn(): Promise<void> {
    for (; running; await sleep(RECALL_EVERY_MS)) {
      counts.recalls += 1;
      const began = Date.now();
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      try {
        const { status, headers, body } = await caller.request('GET', '/recall?query=ledger+entry&limit=5', { signal });
        const ms = Date.now() - began;
        if (status !== 200) counts.recallsRefused.push(`${status} after ${ms} ms ${JSON.stringify(body)}`);
        else if (ms > counts.slowestRecall.ms)
          counts.slowestRecall = { ms, stages: headers.get('server-timing') ?? '' };
      } catch (error) {
        counts.recallsRefused.push(`0 after ${Date.now() - began} ms ${String(error)}`);
      }
    }
  }

  const acknowledgedBefore = total(ledgers);
  const writers = ledgers.map(async (ledger) => {
    for (; running; await sleep(PAUSE_MS)) await attempt(() => ledger.step(timed));
    while (!(await attempt(() => ledger.resendUnconfirmed(timed))));
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

const REPEATS = 10;
const REPEAT_AFTER_MS = 500;

/**
 * Sends one command and repeats it while it is refused with 503, with the same Idempotency-Key, as clients do. Adds the
 * refusals to `refusals`.
 */
export async function sendCommand(
  caller: HttpCaller,
  { method, path, body, refusals }: Readonly<{ method: string; path: string; body?: unknown; refusals: string[] }>,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let repeats = 0; ; repeats += 1) {
    const reply = await caller.request(method, path, { body, headers });
    if (reply.status !== 503 || repeats === REPEATS) return reply;
    refusals.push(`${method} ${path}: ${JSON.stringify(reply.body)}`);
    await sleep(REPEAT_AFTER_MS);
  }
}
