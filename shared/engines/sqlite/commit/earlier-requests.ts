/**
 * Finds what an earlier identical request committed: by its Idempotency-Key, or by its fingerprint while it is
 * unanswered.
 */
import type { Command, CommandKey } from '../../../ports/committer.js';
import { selectEvents } from '../journal/event-rows.js';
import type { Database, SqlRow } from '../threads/database.js';
import { procedure } from '../threads/host.js';

export const KEY_RETENTION_MS = 24 * 60 * 60 * 1_000;
export const UNANSWERED_RETENTION_MS = 60 * 1_000;
/** Expired rows that one group may always remove, even a group of one command. */
const PURGE_MINIMUM = 100;
/**
 * Expired rows that one group removes for each of its commands: more than it adds, so that the tables shrink at every
 * rate of writes.
 */
const PURGE_PER_COMMAND = 2;

type Found = { readonly kind: 'repeated'; readonly rows: readonly SqlRow[] } | { readonly kind: 'key_reused' };

export function findKey(database: Database, { key, requestHash }: CommandKey, nowMs: number): Found | null {
  const row = database.get(
    'SELECT request_hash, first_position, last_position FROM command_keys WHERE key = ? AND at >= ?',
    [key, nowMs - KEY_RETENTION_MS],
  );
  if (row === undefined) return null;
  return row['request_hash'] === requestHash
    ? { kind: 'repeated', rows: eventsOf(database, row) }
    : { kind: 'key_reused' };
}

export type EarlierRequest = {
  readonly key: CommandKey | null;
  readonly fingerprint: string | null;
  /** This run of the process. Its requests will still be answered, except the `abandoned` ones. */
  readonly owner: string;
  /** Ids of commands. */
  readonly abandoned: ReadonlySet<string>;
  readonly nowMs: number;
};

export const findEarlier = procedure(
  import.meta.url,
  'findEarlier',
  (database, request: EarlierRequest): Found | null => {
    const byKey = request.key && findKey(database, request.key, request.nowMs);
    if (byKey || request.fingerprint === null) return byKey;
    const unanswered = database
      .all(
        'SELECT command_id, owner, first_position, last_position FROM unanswered WHERE fingerprint = ? AND at >= ? ORDER BY first_position DESC',
        [request.fingerprint, request.nowMs - UNANSWERED_RETENTION_MS],
      )
      .find((row) => row['owner'] !== request.owner || request.abandoned.has(row['command_id'] as string));
    return unanswered ? { kind: 'repeated', rows: eventsOf(database, unanswered) } : null;
  },
);

/** When another run of the process last committed a request that may be unanswered; null for never. */
export const lastUnansweredOfOthers = procedure(
  import.meta.url,
  'lastUnansweredOfOthers',
  (database, owner: string): number | null => {
    const row = database.get('SELECT max(at) AS last FROM unanswered WHERE owner <> ?', [owner]);
    return row?.['last'] == null ? null : Number(row['last']);
  },
);

/** `first` and `last` are positions. */
type Recorded = { readonly owner: string; readonly nowMs: number; readonly first: number; readonly last: number };

export function rememberRequest(
  database: Database,
  { id, key, fingerprint }: Command,
  { owner, nowMs, first, last }: Recorded,
): void {
  if (key) {
    // An existing row has expired: otherwise the command would have been answered from it.
    database.run(
      'INSERT OR REPLACE INTO command_keys (key, request_hash, first_position, last_position, at) VALUES (?, ?, ?, ?, ?)',
      [key.key, key.requestHash, first, last, nowMs],
    );
  }
  if (fingerprint !== null) {
    database.run(
      'INSERT OR REPLACE INTO unanswered (command_id, fingerprint, owner, first_position, last_position, at) VALUES (?, ?, ?, ?, ?, ?)',
      [id, fingerprint, owner, first, last, nowMs],
    );
  }
}

export function forgetAnswered(database: Database, commandIds: readonly string[]): void {
  for (const id of commandIds) database.run('DELETE FROM unanswered WHERE command_id = ?', [id]);
}

/** Removes expired rows. Limited, because it runs inside the commit of a group. */
export function purgeOld(
  database: Database,
  { commands, nowMs }: { readonly commands: number; readonly nowMs: number },
): void {
  const limit = Math.max(PURGE_MINIMUM, commands * PURGE_PER_COMMAND);
  database.run('DELETE FROM command_keys WHERE key IN (SELECT key FROM command_keys WHERE at < ? LIMIT ?)', [
    nowMs - KEY_RETENTION_MS,
    limit,
  ]);
  database.run('DELETE FROM unanswered WHERE command_id IN (SELECT command_id FROM unanswered WHERE at < ? LIMIT ?)', [
    nowMs - UNANSWERED_RETENTION_MS,
    limit,
  ]);
}

function eventsOf(database: Database, row: SqlRow): SqlRow[] {
  return selectEvents(database, { first: Number(row['first_position']), last: Number(row['last_position']) });
}
