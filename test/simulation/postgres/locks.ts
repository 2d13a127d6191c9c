/** Locks of rows and advisory locks, shared or exclusive, with a limit for each wait as `lock_timeout` sets it. */
import { connectionLost } from './server-errors.js';

export type LockStrength = 'shared' | 'exclusive';

export interface Locks {
  /** True when the holder has the lock now; never waits. */
  readonly tryTake: (holder: object, name: string, strength: LockStrength) => boolean;
  /** Rejects with `timedOut` after the limit. */
  readonly take: (holder: object, name: string, strength: LockStrength) => Promise<void>;
  /** Also ends the waits of the holder, with an error of a lost connection. */
  readonly releaseAll: (holder: object) => void;
}

type Waiting = {
  readonly holder: object;
  readonly strength: LockStrength;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
};
type Lock = { readonly holders: Map<object, LockStrength>; waiting: Waiting[] };

export function createLocks({
  after,
  limitMs,
  timedOut,
}: {
  readonly after: (delayMs: number, run: () => void) => void;
  readonly limitMs: number;
  readonly timedOut: () => Error;
}): Locks {
  const locks = new Map<string, Lock>();

  function lockOf(name: string): Lock {
    let lock = locks.get(name);
    if (!lock) locks.set(name, (lock = { holders: new Map(), waiting: [] }));
    return lock;
  }

  function isFree({ holders }: Lock, holder: object, strength: LockStrength): boolean {
    for (const [other, held] of holders)
      if (other !== holder && (strength === 'exclusive' || held === 'exclusive')) return false;
    return true;
  }

  function hold({ holders }: Lock, holder: object, strength: LockStrength): void {
    if (holders.get(holder) !== 'exclusive') holders.set(holder, strength);
  }

  function grantNext(name: string, lock: Lock): void {
    while (lock.waiting[0] && isFree(lock, lock.waiting[0].holder, lock.waiting[0].strength)) {
      const [next] = lock.waiting.splice(0, 1);
      if (!next) break;
      hold(lock, next.holder, next.strength);
      next.grant();
    }
    if (lock.holders.size === 0 && lock.waiting.length === 0) locks.delete(name);
  }

  const tryTake: Locks['tryTake'] = (holder, name, strength) => {
    const lock = lockOf(name);
    const isOwn = lock.holders.has(holder);
    if (!isFree(lock, holder, strength) || (!isOwn && lock.waiting.length > 0)) return false;
    hold(lock, holder, strength);
    return true;
  };

  return {
    tryTake,
    take: (holder, name, strength) => {
      if (tryTake(holder, name, strength)) return Promise.resolve();
      const lock = lockOf(name);
      return new Promise((resolve, reject) => {
        const waiting = { holder, strength, grant: resolve, refuse: reject };
        lock.waiting.push(waiting);
        after(limitMs, () => {
          if (!lock.waiting.includes(waiting)) return;
          lock.waiting = lock.waiting.filter((other) => other !== waiting);
          reject(timedOut());
          grantNext(name, lock);
        });
      });
    },
    releaseAll: (holder) => {
      for (const [name, lock] of [...locks]) {
        const ended = lock.waiting.filter((waiting) => waiting.holder === holder);
        lock.waiting = lock.waiting.filter((waiting) => waiting.holder !== holder);
        lock.holders.delete(holder);
        for (const { refuse } of ended) refuse(connectionLost());
        grantNext(name, lock);
      }
    },
  };
}
