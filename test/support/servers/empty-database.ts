/**
 * Empties a test database, so that the next test finds what it would find in a new one. This costs a tenth of a new
 * database with its migrations.
 */
import type { Postgres, Queryable } from '../../../shared/engines/postgres/connection/postgres.js';

/** The sessions that an earlier test left, with their locks and their LISTEN. */
const END_SESSIONS = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** The smallest number of an object that is not Postgres' own. */
const FIRST_OBJECT = 16_384;

/**
 * What migrations make and emptying keeps. Each change of a row in a catalog gives it a later \`xmin\`. \`pg_class\`
 * changes with each TRUNCATE, so only its names and options count. Prepared transactions and the settings of the
 * database count, because a new database has none.
 */
const SCHEMA = `
  SELECT concat_ws(E'\\n',
    (SELECT string_agg(concat_ws(' ', oid, relname, relnamespace, relkind, reloptions::text), ', ' ORDER BY oid)
       FROM pg_class WHERE oid >= ${FIRST_OBJECT}),
    ${catalogMark('pg_attribute', 'attrelid')},
    ${catalogMark('pg_attrdef')},
    ${catalogMark('pg_constraint')},
    ${catalogMark('pg_index', 'indexrelid')},
    ${catalogMark('pg_proc')},
    ${catalogMark('pg_trigger')},
    ${catalogMark('pg_type')},
    (SELECT string_agg(nspname, ', ' ORDER BY oid) FROM pg_namespace WHERE nspname NOT LIKE 'pg_temp%' AND nspname NOT LIKE 'pg_toast_temp%'),
    (SELECT string_agg(setconfig::text, ', ') FROM pg_db_role_setting
       WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())),
    (SELECT string_agg(gid, ', ') FROM pg_prepared_xacts WHERE database = current_database())
  ) AS schema`;

/** Emptying keeps these rows. */
const VERSIONS = `SELECT string_agg(concat_ws(' ', room, version, xmin), ', ' ORDER BY room) AS versions FROM schema_migrations`;

/**
 * Truncates each table that has pages, makes the rows that migrations make, starts each sequence at its first value,
 * and deletes the statistics of the planner. TRUNCATE and not DELETE, because it also makes a table small again.
 */
const EMPTY = `
  DO $$
  DECLARE used text;
  BEGIN
    SELECT string_agg(oid::regclass::text, ', ') INTO used FROM pg_class
    WHERE oid >= ${FIRST_OBJECT} AND relkind = 'r' AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0;
    EXECUTE 'TRUNCATE ' || used;
    INSERT INTO journal_identity DEFAULT VALUES;
    INSERT INTO relay_epoch (epoch) VALUES (0);
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE last_value IS NOT NULL;
    DELETE FROM pg_statistic WHERE starelid >= ${FIRST_OBJECT};
    UPDATE pg_class SET relpages = new.pages, reltuples = new.tuples, relallvisible = 0
    FROM (VALUES ('r', 0, -1), ('t', 0, -1), ('i', 1, 0)) AS new (kind, pages, tuples)
    WHERE oid >= ${FIRST_OBJECT} AND relkind = kind::"char" AND (relpages, reltuples, relallvisible) <> (pages, tuples, 0);
  END $$;
  SELECT pg_stat_reset()`;

/** Describes what a test must not have changed where the next one shall use its database. */
export async function describeSchema(postgres: Queryable): Promise<string> {
  const {
    rows: [catalogs],
  } = await postgres.query<{ schema: string }>(SCHEMA);
  const schema = catalogs?.schema ?? '';
  if (!schema.includes(' schema_migrations ')) return schema;
  const { rows } = await postgres.query<{ versions: string | null }>(VERSIONS);
  return `${schema}\n${rows[0]?.versions}`;
}

/** Returns false where the database has another schema than this one. */
export async function emptyDatabase(postgres: Postgres, schema: string): Promise<boolean> {
  await postgres.query(END_SESSIONS);
  if ((await describeSchema(postgres)) !== schema) return false;
  await postgres.query(EMPTY);
  return true;
}

function catalogMark(catalog: string, number = 'oid'): string {
  return `(SELECT concat_ws(' ', '${catalog}', count(*), max(xmin::text::bigint)) FROM ${catalog} WHERE ${number} >= ${FIRST_OBJECT})`;
}
