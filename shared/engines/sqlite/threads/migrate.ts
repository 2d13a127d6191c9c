/**
 * Migrates the schema of every component to the newest version that this program knows, each component in one
 * transaction.
 */
import { RuleError } from '../../../kernel/errors.js';
import type { Database, Migrations } from './database.js';
import type { OpenDatabase } from './open-database.js';

/** Procedures among the steps are already loaded, so that nothing waits between BEGIN and COMMIT. */
export type LoadedMigrations = Pick<Migrations, 'component'> & {
  readonly steps: readonly (string | ((database: Database) => void))[];
};

export function migrate(database: OpenDatabase, migrations: readonly LoadedMigrations[]): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS schema_versions (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID',
  );
  for (const component of migrations) migrateComponent(database, component);
}

function migrateComponent(database: OpenDatabase, { component, steps }: LoadedMigrations): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(
      database.get('SELECT version FROM schema_versions WHERE room = ?', [component])?.['version'] ?? 0,
    );
    if (version > steps.length) {
      throw new RuleError(
        `The database holds version ${version} of '${component}', written by a newer Palimpsest; this one knows version ${steps.length}. ` +
          'Start the newer version again, or restore a backup made before it.',
      );
    }
    for (const step of steps.slice(version)) {
      if (typeof step === 'string') database.exec(step);
      else step(database);
    }
    database.run('INSERT OR REPLACE INTO schema_versions (room, version) VALUES (?, ?)', [component, steps.length]);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction()) database.exec('ROLLBACK');
    throw error;
  }
}
