/**
 * Migrates the schema of every component to the newest version that this program knows. Several installers may run at
 * the same time.
 */
import { ConfigurationError } from '../../../kernel/config/config.js';
import { palimpsestCommand } from '../../../kernel/palimpsest-command.js';
import type { Migrations, Postgres, Queryable } from './postgres.js';
import { isDeadlock } from './postgres-errors.js';

/** The number is an arbitrary constant of ours. The holder of the lock migrates. */
const MIGRATION_LOCK = 'SELECT pg_advisory_xact_lock(1885436016, 1)';
/** A step may rewrite a table with millions of rows, and other installers wait for it. */
const MIGRATION_TIMEOUT_MS = 30 * 60 * 1_000;

/** Deadlocks in a row that one component survives. */
const DEADLOCK_LIMIT = 20;

export type Migrated = { readonly component: string; readonly from: number; readonly to: number };

/** Each component has its own transaction: after a failure the component keeps its old version. */
export async function migratePostgres(
  postgres: Postgres,
  components: readonly Migrations[],
): Promise<readonly Migrated[]> {
  const migrated: Migrated[] = [];
  for (const component of components) migrated.push(await migrateUnderTraffic(postgres, component));
  return migrated;
}

/**
 * The locks of whole tables may cross the locks of running processes. Then Postgres ends one of both, and this one
 * begins again.
 */
async function migrateUnderTraffic(postgres: Postgres, component: Migrations): Promise<Migrated> {
  for (let deadlocks = 1; ; deadlocks += 1) {
    try {
      return await postgres.transaction((transaction) => migrateComponent(transaction, component), {
        timeoutMs: MIGRATION_TIMEOUT_MS,
      });
    } catch (error) {
      if (!isDeadlock(error) || deadlocks >= DEADLOCK_LIMIT) throw error;
    }
  }
}

async function migrateComponent(transaction: Queryable, { component, steps }: Migrations): Promise<Migrated> {
  await transaction.query(MIGRATION_LOCK);
  await transaction.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (room text PRIMARY KEY, version integer NOT NULL, migrated_at timestamptz NOT NULL)',
  );
  const from = (await readVersions(transaction)).get(component) ?? 0;
  rejectLaterVersion({ component, found: from, known: steps.length });
  for (const step of steps.slice(from)) await transaction.query(step);
  await transaction.query(
    `INSERT INTO schema_migrations (room, version, migrated_at) VALUES ($1, $2, now())
     ON CONFLICT (room) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at WHERE schema_migrations.version < excluded.version`,
    [component, steps.length],
  );
  return { component, from, to: steps.length };
}

/** Checks that the tables have exactly the version of this program. Throws ConfigurationError if not. */
export async function requireSchema(postgres: Queryable, components: readonly Migrations[]): Promise<void> {
  const {
    rows: [table],
  } = await postgres.query<{ exists: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  const versions = table?.exists ? await readVersions(postgres) : new Map<string, number>();
  for (const { component, steps } of components) {
    const found = versions.get(component) ?? 0;
    rejectLaterVersion({ component, found, known: steps.length });
    if (found < steps.length) {
      throw new ConfigurationError([
        `The database holds version ${found} of '${component}' and this Palimpsest needs version ${steps.length}: run ${palimpsestCommand('migrate')}`,
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

function rejectLaterVersion({
  component,
  found,
  known,
}: {
  readonly component: string;
  readonly found: number;
  readonly known: number;
}): void {
  if (found <= known) return;
  throw new ConfigurationError([
    `The database holds version ${found} of '${component}', made by a later version of Palimpsest; this one knows version ${known}: ` +
      'start that later version, or restore a backup made before it',
  ]);
}
