/** The database over the driver: what its statements return, whichever methods ran them before. */
import { expect } from 'chai';
import type { SqlValue } from '../../../../../shared/engines/sqlite/threads/database.js';
import { type OpenDatabase, openDatabase } from '../../../../../shared/engines/sqlite/threads/open-database.js';

const METHODS = ['all', 'get', 'run'] as const;
const INSERT = 'INSERT INTO notes (id, text) VALUES (?, ?) RETURNING text';
const SELECT = 'SELECT text FROM notes WHERE id = ?';

describe('statement of the database', () => {
  let database: OpenDatabase;
  beforeEach(() => {
    database = openDatabase(':memory:', { busyTimeoutMs: 0 });
    database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
  });
  afterEach(() => database.close());

  const texts = (method: (typeof METHODS)[number], sql: string, params: readonly SqlValue[]): unknown => {
    if (method === 'all') return database.all(sql, params).map(({ text }) => text);
    if (method === 'get') return [database.get(sql, params)?.['text']];
    database.run(sql, params);
    return null;
  };

  for (const before of METHODS)
    for (const after of METHODS) {
      it(`inserts by ${after} after ${before} of the same statement`, () => {
        texts(before, INSERT, [1, 'one']);
        expect(texts(after, INSERT, [2, 'two'])).to.deep.equal(after === 'run' ? null : ['two']);
        expect(database.all('SELECT text FROM notes ORDER BY id')).to.deep.equal([{ text: 'one' }, { text: 'two' }]);
      });

      if (after !== 'run')
        it(`reads by ${after} after ${before} of the same statement`, () => {
          database.exec("INSERT INTO notes VALUES (1, 'one'), (2, 'two')");
          texts(before, SELECT, [1]);
          expect(texts(after, SELECT, [2])).to.deep.equal(['two']);
        });
    }
});
