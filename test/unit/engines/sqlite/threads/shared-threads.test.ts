import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SqliteHost } from '../../../../../shared/engines/sqlite/threads/host.js';
import {
  createSharedThreads,
  type SharedThreads,
} from '../../../../../shared/engines/sqlite/threads/shared-threads.js';
import { createSqliteHost } from '../../../../../shared/engines/sqlite/threads/threaded-host.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../support/adapters/sqlite.js';
import * as procedures from '../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { until } from '../../../../support/checks/until.js';
import { createTempFolder } from '../../../../support/fixtures/temp-folder.js';

const LIMITS = { writers: 2, readers: 3 };
const DATABASES = 8;

describe('shared database threads', () => {
  let threads: SharedThreads;
  let opened: TemporaryHost[];
  beforeEach(() => {
    threads = createSharedThreads(LIMITS, silentLogger);
    opened = [];
  });
  afterEach(async () => {
    for (const temporary of opened) await temporary.remove();
    await threads.close();
  });

  async function open(count: number): Promise<readonly SqliteHost[]> {
    const options = { readers: 2, startWorker: threads.start };
    const more = Array.from({ length: count }, () => openTemporaryHost([procedures.notesMigrations], options));
    opened.push(...(await Promise.all(more)));
    return opened.map(({ host }) => host);
  }
  const texts = async (host: SqliteHost): Promise<unknown[]> =>
    (await host.read(procedures.listNotes, null)).map((row) => row['text']);
  const add = (host: SqliteHost, text: string) => host.write(procedures.addNote, { text });

  it('are as many as the limits, and each database has its own rows', async () => {
    const hosts = await open(DATABASES);
    await Promise.all(hosts.map((host, number) => add(host, `note ${number}`)));
    expect(threads.count()).to.equal(LIMITS.writers + LIMITS.readers);
    for (const [number, host] of hosts.entries()) expect(await texts(host)).to.deep.equal([`note ${number}`]);
  });

  it('are not shared by the first databases', async () => {
    const [host] = await open(1);
    expect(threads.count()).to.equal(3); // one writes, two read
    const state = async () =>
      Promise.all([host?.read(procedures.countCalls, null), host?.read(procedures.countCalls, null)]);
    expect(await state()).to.deep.equal([1, 1]);
  });

  it('serve the others when one database closes, and then the next ones', async () => {
    const [first, second] = await open(DATABASES);
    await opened.shift()?.remove();
    expect((await rejection(first?.read(procedures.listNotes, null) ?? Promise.resolve())).message).to.include(
      'closed',
    );
    if (second === undefined) throw new Error('no second database');
    await add(second, 'still here');
    const next = (await open(1)).at(-1);
    if (next === undefined) throw new Error('no further database');
    await add(next, 'a new one');
    expect([await texts(second), await texts(next)]).to.deep.equal([['still here'], ['a new one']]);
    expect(threads.count()).to.equal(LIMITS.writers + LIMITS.readers);
  });

  it('close the files of a database that closes', async () => {
    const [host] = await open(DATABASES);
    const [first] = opened;
    if (host === undefined || first === undefined) throw new Error('no database');
    await add(host, 'a note');
    expect(existsSync(`${first.file}-wal`)).to.equal(true);
    await host.close();
    expect(existsSync(`${first.file}-wal`)).to.equal(false);
  });

  for (const [title, end] of [
    ['a writer', (host: SqliteHost) => host.write(procedures.endThread, null)],
    ['a reader', (host: SqliteHost) => host.read(procedures.endThread, null)],
  ] as const)
    it(`lose nothing that was written when the thread of ${title} ends`, async () => {
      const hosts = await open(DATABASES);
      await Promise.all(hosts.map((host, number) => add(host, `before ${number}`)));
      const [first] = hosts;
      if (first === undefined) throw new Error('no database');
      expect((await rejection(end(first))).message).to.include('A database thread has ended');
      for (const [number, host] of hosts.entries()) {
        await until('it writes again', () =>
          add(host, `after ${number}`).then(
            () => true,
            () => false,
          ),
        );
        const read = await until('it reads again', () => texts(host).catch(() => null));
        expect(read).to.deep.equal([`before ${number}`, `after ${number}`]);
      }
      await until('another thread replaces it', () => threads.count() === LIMITS.writers + LIMITS.readers);
    });

  it('refuse a file that is no database, and serve the others', async () => {
    const [host] = await open(1);
    const folder = await createTempFolder();
    const file = join(folder.path, 'palimpsest.db');
    await writeFile(file, 'this is no database'.repeat(1_000));
    const refused = createSqliteHost({ file, readers: 1, migrations: [], startWorker: threads.start });
    expect((await rejection(refused)).message).to.include('is not an SQLite database');
    if (host === undefined) throw new Error('no database');
    await add(host, 'a note');
    expect(await texts(host)).to.deep.equal(['a note']);
    await folder.remove();
  });
});
