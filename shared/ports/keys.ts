/**
 * The port of the keys. They are stored in the database of the journal, as hashes: who reads the database cannot use
 * them.
 */
import type { Timestamp } from '../contract/memory.js';
import type { Scope } from '../contract/scopes.js';

export type Key = {
  /** A UUID. */
  readonly id: string;
  /** Unique. The actor in the events of its requests. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Canonical: the key sees and changes only memories with this tag, or one below it. Null: all. */
  readonly tag: string | null;
  /** Null: never. */
  readonly expiresAt: Timestamp | null;
  /** Null: no limit. */
  readonly requestsPerMinute: number | null;
  /**
   * The last window in which all processes counted requests; null before the first. `ageMs`: since its begin, by the
   * clock of the database.
   */
  readonly window: { readonly requests: number; readonly ageMs: number } | null;
  /** Until when the key before a rotation works as well. */
  readonly previousUntil: Timestamp | null;
  readonly lastUsedAt: Timestamp | null;
  readonly uses: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** `hash`: SHA-256 of the key, 64 hex digits. */
export type NewKey = Pick<Key, 'id' | 'name' | 'scopes' | 'tag' | 'expiresAt' | 'requestsPerMinute'> & {
  readonly hash: string;
};

/** Times are UTC. Every method throws DependencyError('journal') when the database does not answer. */
export interface Keys {
  /** Throws ConflictError when there are KEYS_LIMIT keys, or one with this name. */
  create(key: NewKey): Promise<Key>;
  /** The oldest first. */
  list(): Promise<readonly Key[]>;
  find(id: string): Promise<Key | null>;
  /** The key with this hash, or with this one before its rotation while that still works. Also one that has expired. */
  findByHash(hash: string): Promise<Key | null>;
  /**
   * As `findByHash`, after it has added these requests to the window of the key. A window that is older than `windowMs`
   * is over: the requests begin another one. Processes add to one window at the same time.
   */
  addRequests(hash: string, added: { readonly requests: number; readonly windowMs: number }): Promise<Key | null>;
  /** The hash before works until `previousUntil`; null: no longer. Null without such a key. */
  rotate(id: string, change: { readonly hash: string; readonly previousUntil: Timestamp | null }): Promise<Key | null>;
  /** False without such a key. */
  remove(id: string): Promise<boolean>;
  /** Adds requests that were made with it until now. */
  addUses(id: string, uses: number): Promise<void>;
}
