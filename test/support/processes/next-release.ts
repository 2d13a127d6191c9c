/**
 * The next release, made from this one: its journal has one more migration, and its events have a schema version that
 * this release does not know. Runs the entry file NEXT_RELEASE_MAIN (relative to `dist`) with both changes.
 */
import { SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import { journalMigrations } from '../../../shared/engines/postgres/schema/journal.js';

/** What a release may change while the previous one runs: new nullable columns, new tables, new indexes. */
const MIGRATION = `
  ALTER TABLE journal ADD COLUMN of_next_release text;
  ALTER TABLE outbox ADD COLUMN of_next_release text;
  ALTER TABLE subjects ADD COLUMN of_next_release bigint DEFAULT 1;
  CREATE TABLE of_next_release (id text PRIMARY KEY);
  CREATE INDEX journal_of_next_release ON journal (of_next_release);`;

// Before any other module of the program reads them.
(journalMigrations.steps as string[]).push(MIGRATION);
for (const [type, version] of Object.entries(SCHEMA_VERSIONS)) Object.assign(SCHEMA_VERSIONS, { [type]: version + 1 });

await import(new URL(`../../../${process.env['NEXT_RELEASE_MAIN']}`, import.meta.url).href);
