/**
 * The next release, made from this one: its journal has one more migration, and its events have a schema version that
 * this release does not know.
 */
import { bundlePrograms } from '../../../deploy/bundle.js';

/** In the part of `dist` that the package leaves out. */
const FOLDER = 'test/next-release';
/** What a release may change while the previous one runs: new nullable columns, new tables, new indexes. */
const MIGRATION = `
  ALTER TABLE journal ADD COLUMN of_next_release text;
  ALTER TABLE outbox ADD COLUMN of_next_release text;
  ALTER TABLE subjects ADD COLUMN of_next_release bigint DEFAULT 1;
  CREATE TABLE of_next_release (id text PRIMARY KEY);
  CREATE INDEX journal_of_next_release ON journal (of_next_release);`;

/** Statements at the end of a module of this release. */
const ADDITIONS: Readonly<Record<string, string>> = {
  'shared/engines/postgres/schema/journal.ts': `(journalMigrations.steps as string[]).push(\`${MIGRATION}\`);`,
  'shared/contract/events.ts': `
    for (const [type, version] of Object.entries(SCHEMA_VERSIONS))
      Object.assign(SCHEMA_VERSIONS, { [type]: version + 1 });`,
};

/** Builds the programs of the next release. */
export async function buildNextRelease(): Promise<void> {
  const missing = new Set(Object.keys(ADDITIONS));
  await bundlePrograms(FOLDER, {
    alter: (source, file) => {
      missing.delete(file);
      return `${source}\n${ADDITIONS[file] ?? ''}`;
    },
  });
  if (missing.size > 0) throw new Error(`The next release does not load ${[...missing].join(', ')}`);
}

/** The program of the next release for that of this one, such as `projectors/main.js`. */
export function inNextRelease(main: string): string {
  return `${FOLDER}/${main.replace(/\/main\.js$/u, '.js')}`;
}
