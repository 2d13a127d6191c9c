/**
 * The simulated machines. Every call between a process and an engine goes through `call`, which delays it by a time
 * from the seed. Processes crash and pause here: a crashed process gets no answer and no timer any more, and a paused
 * one gets them when it continues, as after SIGSTOP and SIGCONT.
 */
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { startVirtualTime, type TimerOwner, type VirtualTime } from './virtual-time.js';

export type Entry = {
  readonly at: number;
  readonly process: string;
  readonly step: string;
  /** True for a fault that the seed chose. */
  readonly isFault: boolean;
};

export interface SimulatedProcess extends TimerOwner {
  readonly name: string;
  readonly isCrashed: () => boolean;
  readonly isPaused: () => boolean;
  readonly crash: () => void;
  /** Requests that it makes in the step that runs now leave when it continues. */
  readonly pause: (milliseconds: number) => void;
  /** Called when the process crashes. */
  readonly onCrash: (react: () => void) => void;
  /** Sends a request, or delivers an answer, when the process runs. */
  readonly send: (request: () => void) => void;
}

export interface World {
  readonly random: Random;
  readonly now: () => number;
  readonly step: () => Promise<boolean>;
  readonly steps: () => number;
  /** Runs after a delay as part of an engine, which neither crashes nor pauses. */
  readonly after: (delayMs: number, run: () => void) => void;
  readonly startProcess: (name: string) => SimulatedProcess;
  /** The process whose step runs now; null for an engine. */
  readonly currentProcess: () => SimulatedProcess | null;
  /**
   * Calls `react` for the next process that gets the answer to such a step: `before` it continues with the answer, or
   * `after` it, when the requests that follow are made and not sent.
   */
  readonly atAnswer: (step: string, when: 'before' | 'after', react: (process: SimulatedProcess) => void) => void;
  /** One call of a process to an engine: `serve` runs when the request arrives. */
  readonly call: <T>(process: SimulatedProcess, step: string, serve: () => T | Promise<T>) => Promise<T>;
  readonly record: (process: string, step: string, isFault?: boolean) => void;
  readonly entries: readonly Entry[];
  readonly close: () => void;
}

/** One way between a process and an engine, in ms. */
const LATENCY_MS = { usual: 3, slow: 40, slowShare: 0.05 };

export function createWorld(seed: number): World {
  const random = seededRandom(seed);
  const entries: Entry[] = [];
  const triggers = new Map<
    string,
    { readonly when: 'before' | 'after'; readonly react: Parameters<World['atAnswer']>[2] }
  >();
  let current: SimulatedProcess | null = null;
  let steps = 0;
  const time: VirtualTime = startVirtualTime({ random: seededRandom(seed ^ 0x5bd1e995), currentOwner: () => current });

  const after: World['after'] = (delayMs, run) =>
    time.after(delayMs, () => {
      current = null;
      run();
    });
  const latency = (): number =>
    1 + random.below(random.next() < LATENCY_MS.slowShare ? LATENCY_MS.slow : LATENCY_MS.usual);

  function enterWith(process: SimulatedProcess, step: string, settle: () => void): void {
    const [label = ''] = step.split(' ');
    const trigger = process.isCrashed() || process.isPaused() ? undefined : triggers.get(label);
    if (!trigger) return process.enter(settle);
    triggers.delete(label);
    if (trigger.when === 'before') {
      trigger.react(process);
      return process.enter(settle);
    }
    // The microtasks of the step follow, and their requests are held back or lost.
    process.enter(() => {
      settle();
      trigger.react(process);
    });
  }

  function startProcess(name: string): SimulatedProcess {
    let isCrashed = false;
    let isPaused = false;
    let waiting: (() => void)[] = [];
    const reactions: (() => void)[] = [];

    function pauseNow(milliseconds: number): void {
      isPaused = true;
      world.record(name, `pauses for ${(milliseconds / 1_000).toFixed(1)} s`, true);
      after(milliseconds, resume);
    }
    function resume(): void {
      if (isCrashed) return;
      isPaused = false;
      world.record(name, 'continues', true);
      const [...missed] = waiting;
      waiting = [];
      for (const run of missed) after(0, () => process.enter(run));
    }
    const process: SimulatedProcess = {
      name,
      isCrashed: () => isCrashed,
      isPaused: () => isPaused,
      enter: (run) => {
        if (isCrashed) return;
        if (isPaused) return void waiting.push(run);
        current = process;
        run();
      },
      send: (request) => {
        if (isCrashed) return;
        if (isPaused) waiting.push(request);
        else request();
      },
      crash: () => {
        if (isCrashed) return;
        isCrashed = true;
        waiting = [];
        world.record(name, 'crashes', true);
        for (const react of reactions) react();
      },
      pause: (milliseconds) => {
        if (!isCrashed && !isPaused) pauseNow(milliseconds);
      },
      onCrash: (react) => void reactions.push(react),
    };
    return process;
  }

  const world: World = {
    random,
    now: time.now,
    steps: () => steps,
    step: async () => {
      steps += 1;
      current = null;
      return time.step();
    },
    after,
    startProcess,
    currentProcess: () => current,
    atAnswer: (step, when, react) => void triggers.set(step, { when, react }),
    call: (process, step, serve) =>
      new Promise((resolve, reject) => {
        const deliver = (settle: () => void): void => after(latency(), () => enterWith(process, step, settle));
        const arrive = (): void => {
          world.record(process.name, step);
          let served: ReturnType<typeof serve>;
          try {
            served = serve();
          } catch (error) {
            return deliver(() => reject(error as Error));
          }
          if (!(served instanceof Promise)) return deliver(() => resolve(served));
          served.then(
            (value) => deliver(() => resolve(value)),
            (error: unknown) => deliver(() => reject(error as Error)),
          );
        };
        process.send(() => after(latency(), arrive));
      }),
    record: (process, step, isFault = false) => void entries.push({ at: time.now(), process, step, isFault }),
    entries,
    close: time.restore,
  };
  return world;
}
