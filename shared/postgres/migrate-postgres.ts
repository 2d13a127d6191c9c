/** Brings the schema of every room to the newest version that this program knows; any number of installers may do so at once. */
import { ConfigurationError } from '../kernel/config.js';
import type { Migrations } from './migrations.js';
import type { Postgres, Queryable } from './postgres.js';

/** Any constant of ours: whoever holds it migrates. */
const MIGRATION_LOCK = 'SELECT pg_advisory_xact_lock(1885436016, 1)';
/** A step may rewrite a table of millions, and the installers behind it wait for it. */
const MIGRATION_TIMEOUT_MS = 30 * 60 * 1_000;

export type Migrated = { readonly room: string; readonly from: number; readonly to: number };

/** Each room in a transaction of its own: after a failure it stands at the version where it stood. */
export async function migratePostgres(postgres: Postgres, rooms: readonly Migrations[]): Promise<readonly Migrated[]> {
  const migrated: Migrated[] = [];
  for (const room of rooms) {
    migrated.push(
      await postgres.transaction((transaction) => migrateRoom(transaction, room), { timeoutMs: MIGRATION_TIMEOUT_MS }),
    );
  }
  return migrated;
}

async function migrateRoom(transaction: Queryable, { room, steps }: Migrations): Promise<Migrated> {
  await transaction.query(MIGRATION_LOCK);
  await transaction.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (room text PRIMARY KEY, version integer NOT NULL, migrated_at timestamptz NOT NULL)',
  );
  const from = (await readVersions(transaction)).get(room) ?? 0;
  refuseLaterVersion({ room, found: from, known: steps.length });
  for (const step of steps.slice(from)) await transaction.query(step);
  await transaction.query(
    `INSERT INTO schema_migrations (room, version, migrated_at) VALUES ($1, $2, now())
     ON CONFLICT (room) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at WHERE schema_migrations.version < excluded.version`,
    [room, steps.length],
  );
  return { room, from, to: steps.length };
}

/** What a process asks before it uses the tables: that they are exactly those it was written for. Throws ConfigurationError. */
export async function demandSchema(postgres: Queryable, rooms: readonly Migrations[]): Promise<void> {
  const {
    rows: [table],
  } = await postgres.query<{ exists: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  const versions = table?.exists ? await readVersions(postgres) : new Map<string, number>();
  for (const { room, steps } of rooms) {
    const found = versions.get(room) ?? 0;
    refuseLaterVersion({ room, found, known: steps.length });
    if (found < steps.length) {
      throw new ConfigurationError([
        `The database holds version ${found} of '${room}' and this Palimpsest needs version ${steps.length}: run \`npm run migrate\``,
      ]);
    }
  }
}

async function readVersions(postgres: Queryable): Promise<ReadonlyMap<string, number>> {
  const { rows } = await postgres.query<{ room: string; version: number }>(
    'SELECT room, version FROM schema_migrations',
  );
  return new Map(rows.map(({ room, version }) => [room, version]));
}

function refuseLaterVersion({
  room,
  found,
  known,
}: {
  readonly room: string;
  readonly found: number;
  readonly known: number;
}): void {
  if (found <= known) return;
  throw new ConfigurationError([
    `The database holds version ${found} of '${room}', made by a later version of Palimpsest; this one knows version ${known}: ` +
      'start that later version, or restore a backup made before it',
  ]);
}
