/** Checks the key that a request has, counts its uses, and its requests against its rate. */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { KEY_WINDOW_MS, KEYS_LIMIT } from '../contract/limits.js';
import type { KeyQuota } from '../contract/maintenance/keys.js';
import type { Clock } from '../kernel/clock.js';
import { withinDeadline } from '../kernel/concurrency/within-deadline.js';
import { DeadlineError, DependencyError } from '../kernel/errors.js';
import { hashOfKey, isIntactKey } from '../kernel/keys.js';
import type { Logger } from '../kernel/logger.js';
import type { Key, Keys } from '../ports/keys.js';
import { createRateWindow, type RateWindow } from './rate-window.js';

/** `quota`: of a use of a key with a rate. */
type CheckedKey = Key & { readonly quota?: KeyQuota };
/** The key of this text; null when it is unknown, was revoked or has expired. Throws DependencyError('journal'). */
type CheckKey = (key: string, options?: { readonly isUse: boolean }) => Promise<CheckedKey | null>;

/**
 * A key that was read so lately is not read again, so a revoked key is refused within a second. Requests of a key with
 * a rate are added to its row as often.
 */
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
  windowMs = KEY_WINDOW_MS,
}: {
  readonly keys: Pick<Keys, 'findByHash' | 'addRequests' | 'addUses'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The length of the windows of rates. */
  readonly windowMs?: number;
}): CheckKey {
  const cache = new LRUCache<string, Known>({ max: CACHED_KEYS });
  const reading = new Map<string, Promise<Known | null>>();
  const limit = pLimit(UNKNOWN_READS);
  /** By the id of the key, because both texts of a rotated key share its rate. */
  const windows = new LRUCache<string, RateWindow>({ max: KEYS_LIMIT });
  const reporting = new Set<string>();

  function find(hash: string, known: Key | undefined): Promise<Key | null> {
    if (known !== undefined)
      return withinDeadline(findKnown(hash, known), { milliseconds: READ_MS, name: 'The table of keys' });
    if (limit.pendingCount >= UNKNOWN_WAITING)
      throw new DeadlineError(`${UNKNOWN_WAITING} keys already wait to be checked: try again in a moment`);
    return limit(() => keys.findByHash(hash));
  }

  function findKnown(hash: string, { id }: Key): Promise<Key | null> {
    const window = windows.get(id);
    if (window === undefined) return keys.findByHash(hash);
    return window.report((requests) =>
      requests === 0 ? keys.findByHash(hash) : keys.addRequests(hash, { requests, windowMs }),
    );
  }

  async function read(hash: string): Promise<Known | null> {
    const before = cache.get(hash);
    const triedAt = performance.now();
    try {
      const key = await find(hash, before?.key);
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

  /** Counts a request of a key with a rate. */
  function take(hash: string, { key, triedAt }: Known): KeyQuota | undefined {
    if (key.requestsPerMinute === null) return undefined;
    const window = windows.get(key.id) ?? createRateWindow(key, { windowMs });
    windows.set(key.id, window);
    if (!reporting.has(hash)) {
      reporting.add(hash);
      const report = (): void => {
        reporting.delete(hash);
        // After a failure the next request reports, and has the error.
        if (window.unreported() > 0) readShared(hash).catch(() => undefined);
      };
      setTimeout(report, triedAt + FRESH_MS - performance.now()).unref();
    }
    return window.take(key.requestsPerMinute);
  }

  return async (text, { isUse } = { isUse: true }) => {
    if (!isIntactKey(text)) return null;
    const hash = hashOfKey(text);
    const cached = cache.get(hash);
    const isFresh = cached !== undefined && performance.now() - cached.triedAt < FRESH_MS;
    const known = isFresh ? cached : await readShared(hash);
    if (known === null) return null;
    const { key } = known;
    const isExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now().getTime();
    const quota = isUse && !isExpired ? take(hash, known) : undefined;
    if (isUse && quota?.isExceeded !== true) known.uses += 1;
    noteUses(known);
    if (isExpired) return null;
    return quota === undefined ? key : { ...key, quota };
  };
}
