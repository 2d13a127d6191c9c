/** What the data file keeps of deleted rows in its unused space, and that compaction removes it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { compactDataFile, DATA_FILE } from '../../../../shared/engines/sqlite/open.js';
import { openDatabase } from '../../../../shared/engines/sqlite/threads/open-database.js';
import { seededRandom } from '../../../support/fixtures/random.js';
import { createTempFolder } from '../../../support/fixtures/temp-folder.js';

const ROWS = 4_000;

describe('compaction of the data file', () => {
  it('removes the words of deleted rows, and no other row', async () => {
    const folder = await createTempFolder();
    const file = join(folder.path, DATA_FILE);
    const { next } = seededRandom(9);
    const words = Array.from({ length: ROWS }, (_, number) => `word${number}of${Math.floor(next() * 1e9)}`);
    const isDeleted = (number: number): boolean => number % 3 === 0;
    const database = openDatabase(file, { busyTimeoutMs: 1_000 });
    for (const pragma of ['journal_mode = WAL', 'secure_delete = ON']) database.all(`PRAGMA ${pragma}`);
    database.exec('CREATE TABLE rows (id REAL PRIMARY KEY, number INTEGER, body TEXT) WITHOUT ROWID');
    database.savepoint(() => {
      for (const [number, word] of words.entries())
        database.run('INSERT INTO rows VALUES (?, ?, ?)', [next(), number, word.padEnd(40 + next() * 300)]);
    });
    database.run('DELETE FROM rows WHERE number % 3 = 0');
    database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const found = async (): Promise<readonly number[]> => {
      const text = await readFile(file, 'latin1');
      return [...words.keys()].filter((number) => text.includes(words[number] ?? ''));
    };
    expect((await found()).filter(isDeleted)).not.to.deep.equal([]);
    compactDataFile(folder.path);
    expect(await found()).to.deep.equal([...words.keys()].filter((number) => !isDeleted(number)));
    await folder.remove();
  });

  it('says what to do when the file cannot be written again', async () => {
    const folder = await createTempFolder();
    await writeFile(join(folder.path, DATA_FILE), 'no database');
    expect(() => compactDataFile(folder.path)).to.throw(/keeps its unused space: free .* and run the command again/u);
    await folder.remove();
  });
});
