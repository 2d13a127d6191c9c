/**
 * Another caller than the attacker, with a token of its own. It asks `/livez` all the while, and a small recall and a
 * store in turn, and notes the worst answer of each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createHttpCaller } from '../support/clients/http-caller.js';

export const CALLS = ['livez', 'recall', 'store'] as const;
export type Call = (typeof CALLS)[number];
/** In ms. */
export type Times = Readonly<Record<Call, number>>;

export type Watched = {
  /** The slowest answer of each call, from the begin of the attack until the service was quick again. */
  readonly worst: Times;
  /** Calls that were not answered with 2xx, and a service that did not become quick again. */
  readonly failures: readonly string[];
};

export type Bystander = {
  /**
   * Calls until `over` resolves, and then until two answers of each call in a row took at most `quick`, but not longer
   * than IDLE_DEADLINE_MS.
   */
  readonly watch: (over: Promise<unknown>, quick: Times) => Promise<Watched>;
  /** The ids of all memories whose store was acknowledged. */
  readonly stored: ReadonlySet<string>;
};

export const BYSTANDER_TAG = 'bystander';

const PAUSE_MS = { livez: 20, others: 60 };
const QUICK_IN_A_ROW = 2;
const IDLE_DEADLINE_MS = 30_000;
/** A call without an answer after this time fails. */
const PATIENCE_MS = 30_000;

export function createBystander(url: string, token: string): Bystander {
  const { request } = createHttpCaller(url, token);
  const stored = new Set<string>();
  let asked = 0;
  const send: Readonly<Record<Call, () => ReturnType<typeof request>>> = {
    livez: () => request('GET', '/livez', { signal: AbortSignal.timeout(PATIENCE_MS) }),
    recall: () =>
      request('GET', `/recall?limit=3&query=who+repairs+lantern+${(asked += 1)}`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      }),
    store: async () => {
      const answer = await request('POST', '/memory', {
        body: { content: `The bystander repairs lantern ${(asked += 1)}`, tags: [BYSTANDER_TAG] },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (answer.status === 201) stored.add(answer.body.memory_id as string);
      return answer;
    },
  };

  async function watch(over: Promise<unknown>, quick: Times): Promise<Watched> {
    const worst = { livez: 0, recall: 0, store: 0 };
    const failures: string[] = [];
    const inARow = { livez: 0, recall: 0, store: 0 };
    let overAt: number | null = null;
    const noteEnd = (): void => {
      overAt = performance.now();
      CALLS.forEach((call) => (inARow[call] = 0));
    };
    void over.then(noteEnd, noteEnd);
    const isLate = (): boolean => overAt !== null && performance.now() - overAt > IDLE_DEADLINE_MS;
    const isEnded = (): boolean => {
      if (overAt === null) return false;
      return isLate() || CALLS.every((call) => inARow[call] >= QUICK_IN_A_ROW);
    };
    const measure = async (call: Call): Promise<void> => {
      const begin = performance.now();
      const problem = await send[call]().then(
        ({ status, body }) => (status >= 200 && status < 300 ? null : `${status} ${JSON.stringify(body)}`),
        (error: unknown) => String(error),
      );
      const tookMs = performance.now() - begin;
      worst[call] = Math.max(worst[call], tookMs);
      if (problem !== null) failures.push(`${call}: ${problem.slice(0, 200)}`);
      inARow[call] = problem === null && tookMs <= quick[call] ? inARow[call] + 1 : 0;
    };
    const repeat = async (calls: readonly Call[], pauseMs: number): Promise<void> => {
      while (!isEnded()) {
        for (const call of calls) {
          await measure(call);
          await pause(pauseMs);
        }
      }
    };
    await Promise.all([repeat(['livez'], PAUSE_MS.livez), repeat(['recall', 'store'], PAUSE_MS.others)]);
    if (isLate()) failures.push(`not quick again within ${IDLE_DEADLINE_MS} ms`);
    return { worst, failures };
  }

  return { watch, stored };
}
