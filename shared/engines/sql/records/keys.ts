/** The keys of callers. */
import { KEYS_LIMIT } from '../../../contract/maintenance/keys.js';
import type { Timestamp } from '../../../contract/memory.js';
import type { Scope } from '../../../contract/scopes.js';
import { ConflictError } from '../../../kernel/errors.js';
import type { Key, Keys } from '../../../ports/keys.js';
import { type Call, type Sql, timestampOf } from './sql.js';

export function createKeys(sql: Sql): Keys {
  const { now } = sql.dialect;
  const read = async (...call: Call): Promise<readonly Key[]> => (await sql.read<KeyRow>(...call)).map(keyOfRow);

  return {
    create: async ({ id, name, scopes, tag, expiresAt, hash }) => {
      const insert = `INSERT INTO api_keys (id, name, scopes, expires_at, hash, tag, created_at, updated_at)
        SELECT $1, $2, $3, $4, $5, $7, ${now}, ${now}
        WHERE (SELECT count(*) FROM api_keys) < $6 AND NOT EXISTS (SELECT 1 FROM api_keys WHERE name = $2) RETURNING *`;
      const given = [id, name, JSON.stringify(scopes), expiresAt, hash, KEYS_LIMIT, tag];
      const call: Call = ['create_key', insert, given];
      const [[row] = []] = await sql.transaction<KeyRow>([call], { lock: 'api_keys' });
      if (row !== undefined) return keyOfRow(row);
      const [same] = await read('find_key_by_name', 'SELECT * FROM api_keys WHERE name = $1', [name]);
      throw new ConflictError(
        same === undefined
          ? `There are ${KEYS_LIMIT} keys, which is the limit: revoke one of them, then send the request again`
          : `A key with the name '${name}' exists: rotate or revoke it, or choose another name`,
      );
    },
    list: () => read('list_keys', 'SELECT * FROM api_keys ORDER BY number'),
    find: async (id) => (await read('find_key', 'SELECT * FROM api_keys WHERE id = $1', [id]))[0] ?? null,
    findByHash: async (hash) => {
      const text = `SELECT * FROM api_keys WHERE hash = $1 OR (previous_hash = $1 AND previous_until > ${now})`;
      return (await read('find_key_by_hash', text, [hash]))[0] ?? null;
    },
    rotate: async (id, { hash, previousUntil }) => {
      const text = `UPDATE api_keys SET previous_hash = hash, previous_until = $3, hash = $2, updated_at = ${now}
        WHERE id = $1 RETURNING *`;
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
  readonly previous_until: Time | null;
  readonly last_used_at: Time | null;
  readonly uses: number;
  readonly created_at: Time;
  readonly updated_at: Time;
};

function keyOfRow(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[], // as an adapter wrote it
    tag: row.tag,
    expiresAt: row.expires_at && timestampOf(row.expires_at),
    previousUntil: row.previous_until && timestampOf(row.previous_until),
    lastUsedAt: row.last_used_at && timestampOf(row.last_used_at),
    uses: row.uses,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
  };
}
