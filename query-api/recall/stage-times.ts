/**
 * Measures how long each stage of one recall takes, for the `Server-Timing` header, the metrics and the trace, and
 * stops a recall between two stages.
 */
import { DeadlineError } from '../../shared/kernel/errors.js';
import { withChildSpan } from '../../shared/kernel/tracing/tracing.js';

/** In their order; each is a folder. */
export const STAGES = ['plan', 'retrieve', 'hydrate', 'score', 'select', 'expand', 'rank', 'present'] as const;

/**
 * Parts of a stage that are measured on their own as well: `encode` of `retrieve` and of the scope fallback in `rank`,
 * `relate` (the reads of associations) of `rank`.
 */
export const STAGE_PARTS = ['encode', 'relate'] as const;

export type StageName = (typeof STAGES)[number] | (typeof STAGE_PARTS)[number];

/** Runs the work of a stage and returns its result. */
export type Stage = <T>(name: StageName, work: () => T) => T;

export type StageTimes = {
  readonly stage: Stage;
  /** The stages so far, in the order in which they began, and `total` since the request arrived. Milliseconds. */
  readonly serverTiming: () => string;
  /** Milliseconds of each stage so far. */
  readonly durations: () => ReadonlyMap<StageName, number>;
};

type StageTime = { ms: number; running: number; since: number };

/**
 * The time of a stage is the time during which any of its work runs: of concurrent searches the longest counts, not
 * their sum.
 */
export function createStageTimes(startedAt: number, now: () => number = () => performance.now()): StageTimes {
  const stages = new Map<StageName, StageTime>();

  function begin(name: StageName): void {
    const time = stages.get(name) ?? { ms: 0, running: 0, since: 0 };
    if (time.running === 0) time.since = now();
    time.running += 1;
    stages.set(name, time);
  }

  function end(name: StageName): void {
    const time = stages.get(name);
    if (!time) return;
    time.running -= 1;
    if (time.running === 0) time.ms += now() - time.since;
  }

  /** Work that still runs here has exceeded a deadline, and the recall no longer waits for it. */
  function durationsAt(at: number): ReadonlyMap<StageName, number> {
    return new Map(
      [...stages].map(([name, { ms, running, since }]) => [name, running > 0 ? ms + at - since : ms] as const),
    );
  }

  return {
    stage: (name, work) => {
      begin(name);
      const result = withChildSpan(`recall ${name}`, {}, () => work());
      // `finally` returns a promise of the same type.
      if (result instanceof Promise) return result.finally(() => end(name)) as typeof result;
      end(name);
      return result;
    },
    serverTiming: () => {
      const at = now();
      const entries = [...durationsAt(at)].map(([name, ms]) => entry(name, ms));
      return [...entries, entry('total', at - startedAt)].join(', ');
    },
    durations: () => durationsAt(now()),
  };
}

/**
 * A stage that begins after the client has disconnected throws DeadlineError: no caller waits for the rest of the work.
 */
export function untilGone(stage: Stage, gone: AbortSignal): Stage {
  return (name, work) => {
    if (gone.aborted) throw new DeadlineError('The client has disconnected: the recall stops');
    return stage(name, work);
  };
}

function entry(name: string, ms: number): string {
  return `${name};dur=${Number(ms.toFixed(2))}`;
}
