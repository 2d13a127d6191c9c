/**
 * Keys: their form, and the check of a key that a request has. A key ends with a checksum, as GitHub's tokens do, so
 * that a scanner recognizes one and a random text costs no look at the database.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Clock } from '../kernel/clock.js';
import { DependencyError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { Key, Keys } from '../ports/keys.js';

const PREFIX = 'plm_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 of 62 characters are 190 random bits, so the plain hash of a key reveals nothing. */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`, 'u');

export function newKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${PREFIX}${random}${checksumOf(random)}`;
}

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a token claims to be a key. Tokens of the environment have another form. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX) && token.length === PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
}

function isIntact(key: string): boolean {
  return (
    FORM.test(key) && checksumOf(key.slice(PREFIX.length, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS)
  );
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length] ?? ''}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** The key of this text; null when it is unknown, was revoked or has expired. Throws DependencyError('journal'). */
export type CheckKey = (key: string) => Promise<Key | null>;

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
      noteUses(known);
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

  return async (text) => {
    if (!isIntact(text)) return null;
    const hash = hashOfKey(text);
    const cached = cache.get(hash);
    const isFresh = cached !== undefined && performance.now() - cached.readAt < FRESH_MS;
    const known = isFresh ? cached : await readShared(hash);
    known.uses += 1;
    const { key } = known;
    const isExpired = key?.expiresAt != null && Date.parse(key.expiresAt) <= clock.now().getTime();
    return isExpired ? null : key;
  };
}
