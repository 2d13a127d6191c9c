/** A real SQLite host over a folder that goes with it. */
import { join } from 'node:path';
import { createSqliteHost } from '../../shared/sqlite/create-sqlite-host.js';
import type { Migrations } from '../../shared/sqlite/database.js';
import type { SqliteHost } from '../../shared/sqlite/host.js';
import { createTempFolder } from './temp-folder.js';

export type TemporaryHost = {
  readonly host: SqliteHost;
  readonly file: string;
  /** Closes the host and opens the same file again, as a restart does. */
  reopen(): Promise<TemporaryHost>;
  /** Closes the host and removes its folder. */
  remove(): Promise<void>;
};

export async function openTemporaryHost(
  migrations: readonly Migrations[],
  readers = 1,
  onThreadDeath: (error: Error) => void = () => undefined,
): Promise<TemporaryHost> {
  const folder = await createTempFolder();
  const file = join(folder.path, 'palimpsest.db');
  return over(await createSqliteHost({ file, readers, migrations, onThreadDeath }));

  function over(host: SqliteHost): TemporaryHost {
    return {
      host,
      file,
      reopen: async () => {
        await host.close();
        return over(await createSqliteHost({ file, readers, migrations, onThreadDeath }));
      },
      remove: async () => {
        await host.close();
        await folder.remove();
      },
    };
  }
}
