/** A SQLite host over a temporary folder. */
import { join } from 'node:path';
import type { Migrations } from '../../../shared/engines/sqlite/threads/database.js';
import type { SqliteHost } from '../../../shared/engines/sqlite/threads/host.js';
import type { StartWorker } from '../../../shared/engines/sqlite/threads/thread.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { serveInThread } from './sqlite-in-thread.js';

export type TemporaryHost = {
  readonly host: SqliteHost;
  readonly file: string;
  /** Closes the host and opens the same file again, like a restart. */
  reopen(): Promise<TemporaryHost>;
  /** Closes the host and removes its folder. */
  remove(): Promise<void>;
};

type HostOptions = {
  readonly readers?: number;
  readonly onThreadEnd?: (error: Error) => void;
  /** Runs the real threads. */
  readonly hasThreads?: boolean;
  /** Replaces both kinds of threads. */
  readonly startWorker?: StartWorker;
};

export async function openTemporaryHost(
  migrations: readonly Migrations[],
  { readers = 1, onThreadEnd = () => undefined, hasThreads = false, ...given }: HostOptions = {},
): Promise<TemporaryHost> {
  const folder = await createTempFolder();
  const file = join(folder.path, 'palimpsest.db');
  const startWorker = given.startWorker ?? (hasThreads ? undefined : serveInThread);
  const open = () => createSqliteHost({ file, readers, migrations, onThreadEnd, startWorker });
  return over(await open());

  function over(host: SqliteHost): TemporaryHost {
    return {
      host,
      file,
      reopen: async () => {
        await host.close();
        return over(await open());
      },
      remove: async () => {
        await host.close();
        await folder.remove();
      },
    };
  }
}
