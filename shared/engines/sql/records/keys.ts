/** The keys of callers. */
import { KEYS_LIMIT } from '../../../contract/limits.js';
import type { Timestamp } from '../../../contract/memory.js';
import type { Scope } from '../../../contract/scopes.js';
import { ConflictError } from '../../../kernel/errors.js';
import type { Key, Keys } from '../../../ports/keys.js';
import { type Call, type Sql, timestampOf } from './sql.js';

export function createKeys(sql: Sql): Keys {
  const { now, ago } = sql.dialect;
  const columns = `*, ${now} AS now`;
  const hasHash = `hash = $1 OR (previous_hash = $1 AND previous_until > ${now})`;
  const read = async (...call: Call): Promise<readonly Key[]> => (await sql.read<KeyRow>(...call)).map(keyOfRow);

  return {
    create: async ({ id, name, scopes, tag, expiresAt, requestsPerMinute, hash }) => {
      const insert = `INSERT INTO api_keys
          (id, name, scopes, tag, expires_at, requests_per_minute, hash, created_at, updated_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, ${now}, ${now}
        WHERE (SELECT count(*) FROM api_keys) < $8 AND NOT EXISTS (SELECT 1 FROM api_keys WHERE name = $2)
        RETURNING ${columns}`;
      const values = [id, name, JSON.stringify(scopes), tag, expiresAt, requestsPerMinute, hash, KEYS_LIMIT];
      const call: Call = ['create_key', insert, values];
      const [[row] = []] = await sql.transaction<KeyRow>([call], { lock: 'api_keys' });
      if (row !== undefined) return keyOfRow(row);
      const [same] = await read('find_key_by_name', `SELECT ${columns} FROM api_keys WHERE name = $1`, [name]);
      throw new ConflictError(
        same === undefined
          ? `There are ${KEYS_LIMIT} keys, which is the limit: revoke one of them, then send the request again`
          : `A key with the name '${name}' exists: rotate or revoke it, or choose another name`,
      );
    },
    list: () => read('list_keys', `SELECT ${columns} FROM api_keys ORDER BY number`),
    find: async (id) => (await read('find_key', `SELECT ${columns} FROM api_keys WHERE id = $1`, [id]))[0] ?? null,
    findByHash: async (hash) =>
      (await read('find_key_by_hash', `SELECT ${columns} FROM api_keys WHERE ${hasHash}`, [hash]))[0] ?? null,
    addRequests: async (hash, { requests, windowMs }) => {
      // A window in the future is over as well: the clock of the database was set back.
      const text = `UPDATE api_keys SET (window_started_at, window_requests) = (
          SELECT CASE WHEN is_running THEN window_started_at ELSE ${now} END,
            CASE WHEN is_running THEN window_requests ELSE 0 END + $2
          FROM (SELECT window_started_at > ${ago('$3')} AND window_started_at <= ${now} AS is_running) AS last_window)
        WHERE ${hasHash} RETURNING ${columns}`;
      const [row] = await sql.write<KeyRow>('add_requests', text, [hash, requests, windowMs]);
      return row === undefined ? null : keyOfRow(row);
    },
    rotate: async (id, { hash, previousUntil }) => {
      const text = `UPDATE api_keys SET previous_hash = hash, previous_until = $3, hash = $2, updated_at = ${now}
        WHERE id = $1 RETURNING ${columns}`;
      const [row] = await sql.write<KeyRow>('rotate_key', text, [id, hash, previousUntil]);
      return row === undefined ? null : keyOfRow(row);
    },
    remove: async (id) =>
      (await sql.write('remove_key', 'DELETE FROM api_keys WHERE id = $1 RETURNING id', [id])).length > 0,
    addUses: async (id, uses) => {
      const text = `UPDATE api_keys SET uses = uses + $2, last_used_at = ${now} WHERE id = $1 RETURNING id`;
      await sql.write('add_uses', text, [id, uses]);
    },
  };
}

type Time = Date | Timestamp;

type KeyRow = {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly scopes: string;
  readonly tag: string | null;
  readonly expires_at: Time | null;
  readonly requests_per_minute: number | null;
  readonly window_started_at: Time | null;
  readonly window_requests: number;
  readonly previous_until: Time | null;
  readonly last_used_at: Time | null;
  readonly uses: number;
  readonly created_at: Time;
  readonly updated_at: Time;
  /** When the row was read, by the clock of the database. */
  readonly now: Time;
};

function keyOfRow(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[], // as an adapter wrote it
    tag: row.tag,
    expiresAt: row.expires_at && timestampOf(row.expires_at),
    requestsPerMinute: row.requests_per_minute,
    window: windowOf(row),
    previousUntil: row.previous_until && timestampOf(row.previous_until),
    lastUsedAt: row.last_used_at && timestampOf(row.last_used_at),
    uses: row.uses,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
  };
}

function windowOf({ window_started_at: startedAt, window_requests: requests, now }: KeyRow): Key['window'] {
  return startedAt === null ? null : { requests, ageMs: new Date(now).getTime() - new Date(startedAt).getTime() };
}
