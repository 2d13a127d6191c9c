/** Checks the key that a request has, and counts its uses. */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Clock } from '../kernel/clock.js';
import { DependencyError } from '../kernel/errors.js';
import { hashOfKey, isIntactKey } from '../kernel/keys.js';
import type { Logger } from '../kernel/logger.js';
import type { Key, Keys } from '../ports/keys.js';

/** The key of this text; null when it is unknown, was revoked or has expired. Throws DependencyError('journal'). */
export type CheckKey = (key: string, options?: { readonly isUse: boolean }) => Promise<Key | null>;

/** A key that was read so lately is not read again, so a revoked key is refused within a second. */
const FRESH_MS = 500;
/** While the database does not answer, a key that was read before works this long. */
const STALE_MS = 5 * 60_000;
const CACHED_KEYS = 10_000;
/** Keys that this process reads at the same time. */
const READS = 4;
const NOTED_EVERY_MS = 60_000;

/** `uses`: since `notedAt`. Times are of performance.now(). */
type Known = { key: Key | null; readAt: number; uses: number; notedAt: number };

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
  const reading = new Map<string, Promise<Known>>();
  const limit = pLimit(READS);

  async function read(hash: string): Promise<Known> {
    const before = cache.get(hash);
    try {
      const key = await limit(() => keys.findByHash(hash));
      const known = { uses: 0, notedAt: -Infinity, ...before, key, readAt: performance.now() };
      cache.set(hash, known);
      return known;
    } catch (error) {
      const isUsable = before?.key != null && performance.now() - before.readAt < STALE_MS;
      if (error instanceof DependencyError && isUsable) return before;
      throw error;
    }
  }

  /** Requests of one turn share a read. */
  function readShared(hash: string): Promise<Known> {
    const running = reading.get(hash) ?? read(hash).finally(() => reading.delete(hash));
    reading.set(hash, running);
    return running;
  }

  function noteUses(known: Known): void {
    const { key, uses, notedAt } = known;
    if (key === null || uses === 0 || performance.now() - notedAt < NOTED_EVERY_MS) return;
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
    const isFresh = cached !== undefined && performance.now() - cached.readAt < FRESH_MS;
    const known = isFresh ? cached : await readShared(hash);
    if (isUse) known.uses += 1;
    noteUses(known);
    const { key } = known;
    const isExpired = key?.expiresAt != null && Date.parse(key.expiresAt) <= clock.now().getTime();
    return isExpired ? null : key;
  };
}
