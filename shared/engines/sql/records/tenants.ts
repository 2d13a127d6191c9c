/** The list of the tenants, in the database of the default one. */
import { TENANTS_LIMIT } from '../../../contract/limits.js';
import type { TenantState } from '../../../contract/maintenance/tenants.js';
import type { Timestamp } from '../../../contract/memory.js';
import { ConflictError } from '../../../kernel/errors.js';
import type { Tenant, TenantLimits, Tenants } from '../../../ports/tenants.js';
import { type Call, type Param, type Sql, timestampOf } from './sql.js';

export function createTenants(sql: Sql): Tenants {
  const { now, ago } = sql.dialect;
  const write = async (...call: Call): Promise<Tenant | null> => {
    const [row] = await sql.write<TenantRow>(...call);
    return row === undefined ? null : tenantOfRow(row);
  };
  /** One at a time, so that each change has a revision of its own. */
  const change = async (...call: Call): Promise<Tenant | null> => {
    const [[row] = []] = await sql.transaction<TenantRow>([call], { lock: 'tenants' });
    return row === undefined ? null : tenantOfRow(row);
  };
  /** A process reads the list again only after a change. */
  const next = '(SELECT coalesce(max(revision), 0) + 1 FROM tenants)';
  return {
    create: async ({ id, name }) => {
      const text = `INSERT INTO tenants (id, name, state, revision, created_at, updated_at)
        SELECT $1, $2, 'deleting', ${next}, ${now}, ${now}
        WHERE (SELECT count(*) FROM tenants) < $3 AND NOT EXISTS (SELECT 1 FROM tenants WHERE name = $2)
        RETURNING *`;
      const created = await change('create_tenant', text, [id, name, TENANTS_LIMIT]);
      if (created !== null) return created;
      const [same] = await sql.read('find_tenant_by_name', 'SELECT id FROM tenants WHERE name = $1', [name]);
      throw new ConflictError(
        same === undefined
          ? `There are ${TENANTS_LIMIT} tenants, which is the limit: delete one of them, then send the request again`
          : `A tenant with the name '${name}' exists: choose another name`,
      );
    },
    activate: (id) =>
      change('activate_tenant', `UPDATE tenants SET state = 'active', revision = ${next} WHERE id = $1 RETURNING *`, [
        id,
      ]),
    list: async () =>
      (await sql.read<TenantRow>('list_tenants', 'SELECT * FROM tenants ORDER BY number')).map(tenantOfRow),
    stamp: async () => {
      // The number as well: a tenant that is made after a deletion can have the revision of the deleted one.
      const text = 'SELECT count(*) AS tenants, max(number) AS number, max(revision) AS revision FROM tenants';
      return JSON.stringify(await sql.read('stamp_tenants', text));
    },
    update: (id, { state = null, reason, limits = {} }) => {
      const set = (column: string, value: number, given: number): string =>
        `${column} = CASE WHEN $${given} THEN $${value} ELSE ${column} END`;
      const [names, values] = [Object.keys(LIMITS) as (keyof TenantLimits)[], [] as Param[]];
      const columns = names.map((name, at) => {
        values.push(limits[name] ?? null, limits[name] !== undefined);
        return set(LIMITS[name], 5 + 2 * at, 6 + 2 * at);
      });
      return change(
        'update_tenant',
        `UPDATE tenants SET state = CASE WHEN state = 'deleting' THEN state ELSE coalesce($2, state) END,
          ${set('reason', 3, 4)}, ${columns.join(', ')}, revision = ${next}, updated_at = ${now}
          WHERE id = $1 RETURNING *`,
        [id, state, reason ?? null, reason !== undefined, ...values],
      );
    },
    setSettled: async (id, isSettled) =>
      void (await sql.write('set_tenant_settled', 'UPDATE tenants SET is_settled = $2 WHERE id = $1', [id, isSettled])),
    saveUsage: (id, { memories, bytes }) =>
      write(
        'save_tenant_usage',
        `UPDATE tenants SET memories = $2, bytes = $3, counted_at = ${now} WHERE id = $1 RETURNING *`,
        [id, memories, bytes],
      ),
    noteUse: async (id) =>
      void (await sql.write('note_tenant_use', `UPDATE tenants SET used_at = ${now} WHERE id = $1`, [id])),
    usedWithin: async (milliseconds) => {
      const text = `SELECT id FROM tenants WHERE used_at >= ${ago('$1')}`;
      return (await sql.read<{ id: string }>('used_tenants', text, [milliseconds])).map(({ id }) => id);
    },
    leftovers: async (milliseconds) => {
      const text = `SELECT * FROM tenants WHERE state = 'deleting' AND updated_at <= ${ago('$1')} ORDER BY number`;
      return (await sql.read<TenantRow>('left_tenants', text, [milliseconds])).map(tenantOfRow);
    },
    remove: async (id) => void (await sql.write('remove_tenant', 'DELETE FROM tenants WHERE id = $1', [id])),
  };
}

/** The columns of the limits. */
const LIMITS: Readonly<Record<keyof TenantLimits, keyof TenantRow>> = {
  requestsPerMinute: 'requests_per_minute',
  writesPerMinute: 'writes_per_minute',
  memories: 'memories_limit',
  bytes: 'bytes_limit',
};

type Time = Date | Timestamp;

type TenantRow = {
  readonly id: string;
  readonly name: string;
  readonly state: TenantState;
  readonly reason: string | null;
  readonly requests_per_minute: number | null;
  readonly writes_per_minute: number | null;
  readonly memories_limit: number | null;
  readonly bytes_limit: number | null;
  readonly memories: number;
  readonly bytes: number;
  readonly counted_at: Time | null;
  readonly is_settled: number | boolean;
  readonly created_at: Time;
  readonly updated_at: Time;
};

function tenantOfRow(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    reason: row.reason,
    limits: {
      requestsPerMinute: row.requests_per_minute,
      writesPerMinute: row.writes_per_minute,
      memories: row.memories_limit,
      bytes: row.bytes_limit,
    },
    usage: { memories: row.memories, bytes: row.bytes, at: row.counted_at && timestampOf(row.counted_at) },
    isSettled: Boolean(row.is_settled),
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
  };
}
