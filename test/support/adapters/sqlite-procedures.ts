/** Procedures for tests of the SQLite host. The file has no suites, because database threads import it. */
import type { Migrations, SqlRow, SqlValue } from '../../../shared/engines/sqlite/threads/database.js';
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import { DependencyError } from '../../../shared/kernel/errors.js';

export const notesMigrations: Migrations = {
  component: 'notes',
  steps: ['CREATE TABLE notes (text TEXT NOT NULL, bytes BLOB)'],
};

export const addNote = procedure(
  import.meta.url,
  'addNote',
  (database, note: { text: string; bytes?: Uint8Array }): void => {
    database.run('INSERT INTO notes (text, bytes) VALUES (?, ?)', [note.text, note.bytes ?? null]);
  },
);

export const addNoteThenThrow = procedure(import.meta.url, 'addNoteThenThrow', (database, text: string): void => {
  database.run('INSERT INTO notes (text) VALUES (?)', [text]);
  throw new DependencyError('vectors', 'broken on purpose', {
    outcomeUnknown: true,
    retryAfterSeconds: 7,
    cause: new Error('the root'),
  });
});

export const addNotesOneInSavepoint = procedure(
  import.meta.url,
  'addNotesOneInSavepoint',
  (database, _args: null): string => {
    database.run("INSERT INTO notes (text) VALUES ('outside')");
    try {
      return database.savepoint(() => {
        database.run("INSERT INTO notes (text) VALUES ('inside')");
        throw new Error('undo');
      });
    } catch (error) {
      return (error as Error).message;
    }
  },
);

export const fillUntilFull = procedure(import.meta.url, 'fillUntilFull', (database, _args: null): void => {
  const pages = Number(database.get('PRAGMA page_count')?.['page_count']);
  database.all(`PRAGMA max_page_count = ${pages + 10}`);
  for (let i = 0; i < 100; i += 1)
    database.run('INSERT INTO notes (text, bytes) VALUES (?, ?)', ['big', new Uint8Array(4_000)]);
});

export const removeNotes = procedure(import.meta.url, 'removeNotes', (database, _args: null): void => {
  database.run('DELETE FROM notes');
});

export const listNotes = procedure(import.meta.url, 'listNotes', (database, _args: null): SqlRow[] =>
  database.all('SELECT text, bytes FROM notes ORDER BY rowid'),
);

export const firstNote = procedure(import.meta.url, 'firstNote', (database, text: string): SqlRow | undefined =>
  database.get('SELECT text, bytes FROM notes WHERE text = ?', [text]),
);

export const badParameter = procedure(import.meta.url, 'badParameter', (database, value: unknown): SqlRow[] =>
  database.all('SELECT ? AS value', [value as SqlValue]),
);

export const countCalls = procedure(import.meta.url, 'countCalls', (database, _args: null): number => {
  const calls = Number(database.state.get('calls') ?? 0) + 1;
  database.state.set('calls', calls);
  return calls;
});

export const countKeys = procedure(import.meta.url, 'countKeys', (database, _args: null): number =>
  Number(database.get('SELECT count(*) AS keys FROM command_keys')?.['keys']),
);

/** Keeps the thread busy. */
export const takeTime = procedure(import.meta.url, 'takeTime', (_database, milliseconds: number): void => {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
});

/** Keeps the thread busy until `flag` is notified. */
export const awaitFlag = procedure(import.meta.url, 'awaitFlag', (_database, flag: Int32Array): void => {
  if (Atomics.wait(flag, 0, 0, 10_000) === 'timed-out') throw new Error('The flag was not notified in time');
});

export const pragma = procedure(
  import.meta.url,
  'pragma',
  (database, name: string): SqlValue | undefined => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0],
);

export const endThread = procedure(import.meta.url, 'endThread', (_database, _args: null): never => process.exit(3));

export const addNoteThenEnd = procedure(import.meta.url, 'addNoteThenEnd', (database, text: string): never => {
  database.run('INSERT INTO notes (text) VALUES (?)', [text]);
  process.exit(3);
});

/** Turns the graph schema back to version 1, before metadata search and word tables. The stored memories remain. */
export const leaveMetadataUnsearched = procedure(
  import.meta.url,
  'leaveMetadataUnsearched',
  (database, _args: null): void => {
    database.exec('DROP TABLE entity_records');
    database.exec(
      'DROP TRIGGER association_added; DROP TRIGGER association_removed; DROP TABLE association_type_counts',
    );
    database.exec('DROP INDEX memories_by_type; DROP INDEX associations_preferring');
    database.exec(
      'DROP INDEX associations_from; DROP INDEX associations_to; DROP INDEX associations_superseding; CREATE INDEX associations_by_target ON associations (target, type, source)',
    );
    database.exec(
      'ALTER TABLE memories DROP COLUMN derived_version; ALTER TABLE memories DROP COLUMN position; ALTER TABLE associations DROP COLUMN derived',
    );
    database.exec('DROP TABLE graph_mark; DROP TABLE deleted_hubs');
    database.exec('DROP INDEX memory_tags_by_prefix; CREATE VIRTUAL TABLE memory_terms USING fts5 (content)');
    database.exec(
      "DROP TABLE memory_words; DROP TABLE metadata_words; DROP TABLE metadata_values; UPDATE schema_versions SET version = 1 WHERE room = 'graph'",
    );
  },
);
