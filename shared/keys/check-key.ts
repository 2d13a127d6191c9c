/** Checks the key that a request has, and counts its uses. */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { KEYS_LIMIT } from '../contract/maintenance/keys.js';
import type { Clock } from '../kernel/clock.js';
import { withinDeadline } from '../kernel/concurrency/within-deadline.js';
import { DeadlineError, DependencyError } from '../kernel/errors.js';
import { hashOfKey, isIntactKey } from '../kernel/keys.js';
import type { Logger } from '../kernel/logger.js';
import type { Key, Keys } from '../ports/keys.js';

/** The key of this text; null when it is unknown, was revoked or has expired. Throws DependencyError('journal'). */
export type CheckKey = (key: string, options?: { readonly isUse: boolean }) => Promise<Key | null>;

/** A key that was read so lately is not read again, so a revoked key is refused within a second. */
const FRESH_MS = 500;
/** While the database does not answer, a key that was read before works this long. */
const STALE_MS = 5 * 60_000;
/** Each key also by its hash before a rotation. */
const CACHED_KEYS = 2 * KEYS_LIMIT;
/** A slower database counts as one that does not answer. */
const READ_MS = 1_000;
/**
 * Texts that this process does not know as keys: so many are read at the same time, and so many wait. Keys that it
 * knows do not wait for them.
 */
const UNKNOWN_READS = 4;
const UNKNOWN_WAITING = 256;
const NOTED_EVERY_MS = 60_000;

/** `uses`: since `notedAt`. `triedAt`: of the last read, also of one that failed. Times are of performance.now(). */
type Known = { key: Key; readAt: number; triedAt: number; uses: number; notedAt: number };

export function createCheckKey({
  keys,
  clock,
  logger,
}: {
  readonly keys: Pick<Keys, 'findByHash' | 'addUses'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): CheckKey {
  const cache = new LRUCache<string, Known>({ max: CACHED_KEYS });
  const reading = new Map<string, Promise<Known | null>>();
  const limit = pLimit(UNKNOWN_READS);

  function find(hash: string, isKnown: boolean): Promise<Key | null> {
    if (isKnown) return withinDeadline(keys.findByHash(hash), { milliseconds: READ_MS, name: 'The table of keys' });
    if (limit.pendingCount >= UNKNOWN_WAITING)
      throw new DeadlineError(`${UNKNOWN_WAITING} keys already wait to be checked: try again in a moment`);
    return limit(() => keys.findByHash(hash));
  }

  async function read(hash: string): Promise<Known | null> {
    const before = cache.get(hash);
    const triedAt = performance.now();
    try {
      const key = await find(hash, before !== undefined);
      const known = key && { uses: 0, notedAt: -Infinity, ...before, key, readAt: performance.now(), triedAt };
      if (known === null) cache.delete(hash);
      else cache.set(hash, known);
      return known;
    } catch (error) {
      const isOutage = error instanceof DependencyError || error instanceof DeadlineError;
      if (!isOutage || before === undefined || performance.now() - before.readAt >= STALE_MS) throw error;
      before.triedAt = performance.now();
      return before;
    }
  }

  /** Requests of one turn share a read. */
  function readShared(hash: string): Promise<Known | null> {
    const running = reading.get(hash) ?? read(hash).finally(() => reading.delete(hash));
    reading.set(hash, running);
    return running;
  }

  function noteUses(known: Known): void {
    const { key, uses, notedAt } = known;
    if (uses === 0 || performance.now() - notedAt < NOTED_EVERY_MS) return;
    known.uses = 0;
    known.notedAt = performance.now();
    keys
      .addUses(key.id, uses)
      .catch((error: unknown) => logger.warn({ err: error, key: key.name }, 'uses not counted'));
  }

  return async (text, { isUse } = { isUse: true }) => {
    if (!isIntactKey(text)) return null;
    const hash = hashOfKey(text);
    const cached = cache.get(hash);
    const isFresh = cached !== undefined && performance.now() - cached.triedAt < FRESH_MS;
    const known = isFresh ? cached : await readShared(hash);
    if (known === null) return null;
    if (isUse) known.uses += 1;
    noteUses(known);
    const { key } = known;
    const isExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now().getTime();
    return isExpired ? null : key;
  };
}
