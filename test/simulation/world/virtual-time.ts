/**
 * Replaces the clocks, timers and random sources of this process by virtual ones that follow from a seed. Code of the
 * product runs unchanged: a timer fires when the simulation advances to it, and between two timers only microtasks run.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { install } from '@sinonjs/fake-timers';
import type { Random } from '../../support/fixtures/random.js';

/** The part of the simulation that runs at the moment: it owns the timers that it starts. */
export interface TimerOwner {
  /** Runs the callback of a timer of this owner now or later, or never. */
  readonly enter: (run: () => void) => void;
}

export interface VirtualTime {
  /** Milliseconds since the start. */
  readonly now: () => number;
  /** Fires the next timer, then runs all microtasks. Returns false without a timer. */
  readonly step: () => Promise<boolean>;
  /** Runs the callback after a delay; it belongs to no owner. */
  readonly after: (delayMs: number, run: () => void) => void;
  readonly restore: () => void;
}

const START = Date.UTC(2024, 0, 1);
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;

/** `currentOwner`: the owner of timers that are started now; null for those of the simulation itself. */
export function startVirtualTime({
  random,
  currentOwner,
}: {
  readonly random: Random;
  readonly currentOwner: () => TimerOwner | null;
}): VirtualTime {
  const realImmediate = setImmediate;
  const clock = install({ now: START, toFake: [...FAKED] });
  const fakeTimeout = globalThis.setTimeout;
  const restoreRandom = replaceRandom(random);
  const faked = timersPromises.setTimeout;
  // The cast is safe: the code of the product passes a callback and a number.
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) => {
    const owner = currentOwner();
    return fakeTimeout(() => (owner ? owner.enter(() => run(...args)) : run(...args)), delayMs);
  }) as typeof setTimeout;
  timersPromises.setTimeout = pause as typeof timersPromises.setTimeout;
  syncBuiltinESMExports();

  return {
    now: () => clock.now - START,
    after: (delayMs, run) => void fakeTimeout(run, delayMs),
    step: async () => {
      if (clock.countTimers() === 0) return false;
      clock.next();
      await new Promise<void>((resolve) => realImmediate(resolve));
      return true;
    },
    restore: () => {
      timersPromises.setTimeout = faked;
      clock.uninstall();
      restoreRandom();
      syncBuiltinESMExports();
    },
  };
}

/** `setTimeout` of `node:timers/promises`, by the virtual timers. */
function pause(
  delayMs?: number,
  value?: unknown,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve(value);
    }, delayMs);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

function replaceRandom(random: Random): () => void {
  const original = { random: Math.random, uuid: crypto.randomUUID, int: crypto.randomInt };
  const global = globalThis.crypto as { randomUUID: typeof crypto.randomUUID };
  const globalUuid = global.randomUUID;
  const uuid = (() => uuidOf(random)) as typeof crypto.randomUUID;
  Math.random = random.next;
  crypto.randomUUID = uuid;
  crypto.randomInt = ((limit: number) => random.below(limit)) as typeof crypto.randomInt;
  global.randomUUID = uuid;
  return () => {
    Math.random = original.random;
    crypto.randomUUID = original.uuid;
    crypto.randomInt = original.int;
    global.randomUUID = globalUuid;
  };
}

function uuidOf(random: Random): string {
  const hex = (digits: number): string =>
    random
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
