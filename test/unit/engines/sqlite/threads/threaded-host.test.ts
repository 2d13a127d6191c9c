import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { SqliteHost } from '../../../../../shared/engines/sqlite/threads/host.js';
import { createSqliteHost } from '../../../../../shared/engines/sqlite/threads/threaded-host.js';
import { DeadlineError, DependencyError } from '../../../../../shared/kernel/errors.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../support/adapters/sqlite.js';
import * as procedures from '../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { until } from '../../../../support/checks/until.js';

/** Values of `PRAGMA synchronous`. */
const [NORMAL, FULL] = [1, 2];

describe('SQLite host', () => {
  let temporary: TemporaryHost;
  beforeEach(async () => {
    temporary = await openTemporaryHost([procedures.notesMigrations], { readers: 2, hasThreads: true });
  });
  afterEach(() => temporary.remove());

  const texts = async (): Promise<unknown[]> =>
    (await temporary.host.read(procedures.listNotes, null)).map((row) => row['text']);

  it('shows a write to every later read', async () => {
    for (let i = 0; i < 50; i += 1) {
      await temporary.host.write(procedures.addNote, { text: `note ${i}` });
      expect(await texts()).to.have.length(i + 1);
    }
  });

  it('runs writes in the order of the calls', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => temporary.host.write(procedures.addNote, { text })));
    expect(await texts()).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('rolls back a write that throws and returns the error with its fields', async () => {
    const error = await rejection(temporary.host.write(procedures.addNoteThenThrow, 'gone'));
    expect(error).to.be.instanceOf(DependencyError);
    expect(error).to.include({
      dependency: 'vectors',
      message: 'broken on purpose',
      outcomeUnknown: true,
      retryAfterSeconds: 7,
    });
    expect((error.cause as Error).message).to.equal('the root');
    expect(await texts()).to.deep.equal([]);
  });

  it('rolls back only the write that throws, among writes that wait together', async () => {
    const { host } = temporary;
    const results = await Promise.allSettled([
      host.write(procedures.addNote, { text: 'a' }),
      host.write(procedures.addNoteThenThrow, 'gone'),
      host.write(procedures.addNote, { text: 'b' }),
      host.write(procedures.addNotesOneInSavepoint, null),
    ]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await texts()).to.deep.equal(['a', 'b', 'outside']);
  });

  it('fails all writes that wait together when storage is full, and keeps none', async () => {
    const { host } = temporary;
    /** Returns undefined when a busy machine ended the turn after the first write, which is then kept. */
    async function fillInOneTurn(): Promise<readonly Error[] | undefined> {
      const busy = host.write(procedures.takeTime, 100).catch(() => undefined); // the others wait behind it, or fail with it
      const added = host.write(procedures.addNote, { text: 'a' });
      const [isAlone, full] = await Promise.all([
        added.then(
          () => true,
          () => false,
        ),
        rejection(host.write(procedures.fillUntilFull, null)),
      ]);
      await busy;
      if (!isAlone) return [await rejection(added), full];
      expect(await texts()).to.deep.equal(['a']);
      await host.write(procedures.removeNotes, null);
      return undefined;
    }

    const errors = await until('both writes are in one turn', fillInOneTurn);
    for (const error of errors) {
      expect(error.message).to.match(/^Storage is full: free space/);
      expect(error).to.include({ outcomeUnknown: false });
    }
    expect(await texts()).to.deep.equal([]);
  });

  it('runs every earlier write before it closes', async () => {
    const writes = ['a', 'b', 'c'].map((text) => temporary.host.write(procedures.addNote, { text }));
    await temporary.host.close();
    await Promise.all(writes);
    temporary = await temporary.reopen();
    expect(await texts()).to.deep.equal(['a', 'b', 'c']);
  });

  it('rolls back only the work in a savepoint', async () => {
    expect(await temporary.host.write(procedures.addNotesOneInSavepoint, null)).to.equal('undo');
    expect(await texts()).to.deep.equal(['outside']);
  });

  it('returns blobs as separate bytes from all and from get', async () => {
    const bytes = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
    await temporary.host.write(procedures.addNote, { text: 'blob', bytes });
    const [row] = await temporary.host.read(procedures.listNotes, null);
    expect(row).to.deep.equal({ text: 'blob', bytes: new Uint8Array([1, 2, 3]) });
    expect(await temporary.host.read(procedures.firstNote, 'blob')).to.deep.equal(row);
  });

  it('rejects a boolean parameter and stays alive', async () => {
    const error = await rejection(temporary.host.read(procedures.badParameter, true));
    expect(error.message).to.contain('A parameter is boolean');
    expect(await temporary.host.read(procedures.badParameter, 1)).to.deep.equal([{ value: 1 }]);
  });

  it('rejects a write of a reader', async () => {
    await rejection(temporary.host.read(procedures.addNote, { text: 'by a reader' }));
    expect(await texts()).to.deep.equal([]);
  });

  it('keeps separate state for each opened reader', async () => {
    const reader = await temporary.host.openReader('counter');
    await reader.read(procedures.countCalls, null);
    expect(await reader.read(procedures.countCalls, null)).to.equal(2);
  });

  it('uses a write-ahead log with full synchronization', async () => {
    expect(await temporary.host.write(procedures.pragma, 'synchronous')).to.equal(FULL);
    expect(await temporary.host.write(procedures.pragma, 'journal_mode')).to.equal('wal');
  });

  it('syncs a turn with a write that is not derived, and no other', async () => {
    const { host } = temporary;
    const level = procedures.pragma;
    for (let round = 0; round < 2; round += 1) {
      expect(await host.writeDerived(level, 'synchronous')).to.equal(NORMAL);
      expect(await host.write(level, 'synchronous')).to.equal(FULL);
    }
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const busy = host.writeDerived(procedures.awaitFlag, flag); // the others wait behind it
    const levels = [host.writeDerived(level, 'synchronous'), host.write(level, 'synchronous')];
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    expect(await Promise.all(levels)).to.deep.equal([FULL, FULL]);
    await busy;
  });

  it('names the solution when storage is full and writes again when space is free', async () => {
    const error = await rejection(temporary.host.write(procedures.fillUntilFull, null));
    expect(error).to.be.instanceOf(DependencyError);
    expect(error.message).to.match(/^Storage is full: free space/);
    expect(error).to.include({ outcomeUnknown: false });
    expect(await texts()).to.deep.equal([]);
    await temporary.host.write(procedures.addNote, { text: 'room again' });
    expect(await texts()).to.deep.equal(['room again']);
  });

  it('keeps written rows when it opens again', async () => {
    await temporary.host.write(procedures.addNote, { text: 'kept' });
    temporary = await temporary.reopen();
    expect(await texts()).to.deep.equal(['kept']);
  });

  it('applies only the new steps of a component', async () => {
    await temporary.host.write(procedures.addNote, { text: 'old' });
    const newer = {
      component: 'notes',
      steps: [...procedures.notesMigrations.steps, "UPDATE notes SET text = text || ' and new'"],
    };
    await temporary.host.close();
    const host = await createSqliteHost({ file: temporary.file, readers: 1, migrations: [newer] });
    expect(await host.read(procedures.listNotes, null)).to.deep.equal([{ text: 'old and new', bytes: null }]);
    await host.close();
  });

  it('rejects a database that a newer version wrote', async () => {
    await temporary.host.close();
    const error = await rejection(
      createSqliteHost({ file: temporary.file, readers: 1, migrations: [{ component: 'notes', steps: [] }] }),
    );
    expect(error.message).to.contain("version 1 of 'notes', written by a newer Palimpsest");
  });

  it('names the check when the file cannot be opened', async () => {
    const error = await rejection(
      createSqliteHost({ file: `${temporary.file}/not-a-folder/x.db`, readers: 1, migrations: [] }),
    );
    expect(error).to.be.instanceOf(DependencyError);
    expect(error.message).to.contain('check that its folder exists and may be written');
  });

  it('names the solution for a file that is not a database', async () => {
    const file = `${temporary.file}.text`;
    await writeFile(file, 'just words, and more than a header takes: '.repeat(200));
    const error = await rejection(createSqliteHost({ file, readers: 1, migrations: [procedures.notesMigrations] }));
    expect(error).to.be.instanceOf(DependencyError);
    expect(error.message).to.contain('restore it from a backup');
  });

  describe('with a busy reader', () => {
    let host: SqliteHost;
    beforeEach(async () => {
      const { file } = temporary;
      host = await createSqliteHost({
        file,
        readers: 1,
        migrations: [procedures.notesMigrations],
        readWaitLimitMs: 50,
      });
    });
    afterEach(() => host.close());

    it('never begins a read that waited longer than the limit', async () => {
      const running = [100, 100].map((milliseconds) => host.read(procedures.takeTime, milliseconds));
      expect(await rejection(host.read(procedures.countCalls, null))).to.be.instanceOf(DeadlineError);
      await Promise.all(running);
      expect(await host.read(procedures.countCalls, null)).to.equal(1);
    });

    it('closes after the waiting writes, without waiting reads', async () => {
      const reads = Array.from({ length: 100 }, () =>
        host.read(procedures.takeTime, 200).catch((error: Error) => error),
      );
      const writes = Array.from({ length: 10 }, (_, index) =>
        host.write(procedures.addNote, { text: `note ${index}` }),
      );
      const startedAt = performance.now();
      await host.close();
      expect(performance.now() - startedAt).to.be.below(5_000);
      expect((await Promise.all(reads)).filter((outcome) => outcome instanceof DependencyError)).to.have.length(98);
      await Promise.all(writes);
      expect(await texts()).to.have.length(10);
    });
  });

  it('rejects calls after it is closed', async () => {
    await temporary.host.close();
    expect(await rejection(temporary.host.read(procedures.listNotes, null))).to.be.instanceOf(DependencyError);
  });
});
