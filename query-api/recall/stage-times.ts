/** The clock of one recall: how long each of its stages took, for the `Server-Timing` header. */
export type StageName = 'encode' | 'retrieve' | 'hydrate' | 'score' | 'expand' | 'relate';

/** Does the work of a stage and gives back what it gives. */
export type Stage = <T>(name: StageName, work: () => T) => T;

export type StageTimes = {
  readonly stage: Stage;
  /** What ran so far, in the order in which it began, and `total` since the request arrived. Milliseconds. */
  readonly serverTiming: () => string;
};

type Spent = { ms: number; running: number; since: number };

/**
 * A stage counts the time during which any work of it goes on: of searches side by side the longest matters, not their sum. `encode`
 * is a part of `retrieve`, beside which other sources search already.
 */
export function createStageTimes(startedAt: number, now: () => number = () => performance.now()): StageTimes {
  const stages = new Map<StageName, Spent>();

  function begin(name: StageName): void {
    const spent = stages.get(name) ?? { ms: 0, running: 0, since: 0 };
    if (spent.running === 0) spent.since = now();
    spent.running += 1;
    stages.set(name, spent);
  }

  function end(name: StageName): void {
    const spent = stages.get(name);
    if (!spent) return;
    spent.running -= 1;
    if (spent.running === 0) spent.ms += now() - spent.since;
  }

  return {
    stage: (name, work) => {
      begin(name);
      const result = work();
      // A promise of the same type: `finally` passes the outcome on.
      if (result instanceof Promise) return result.finally(() => end(name)) as typeof result;
      end(name);
      return result;
    },
    serverTiming: () => {
      const at = now();
      // What still runs was given up by a deadline.
      const entries = [...stages].map(([name, { ms, running, since }]) =>
        entry(name, running > 0 ? ms + at - since : ms),
      );
      return [...entries, entry('total', at - startedAt)].join(', ');
    },
  };
}

function entry(name: string, ms: number): string {
  return `${name};dur=${Number(ms.toFixed(2))}`;
}
