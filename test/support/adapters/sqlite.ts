/** A SQLite host over a temporary folder. */
import { join } from 'node:path';
import type { Migrations } from '../../../shared/sqlite/database.js';
import type { SqliteHost } from '../../../shared/sqlite/host.js';
import { createSqliteHost } from '../../../shared/sqlite/threaded-host.js';
import { createTempFolder } from '../fixtures/temp-folder.js';

export type TemporaryHost = {
  readonly host: SqliteHost;
  readonly file: string;
  /** Closes the host and opens the same file again, like a restart. */
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
  return over(await createSqliteHost({ file, readers, migrations, onThreadEnd: onThreadDeath }));

  function over(host: SqliteHost): TemporaryHost {
    return {
      host,
      file,
      reopen: async () => {
        await host.close();
        return over(await createSqliteHost({ file, readers, migrations, onThreadEnd: onThreadDeath }));
      },
      remove: async () => {
        await host.close();
        await folder.remove();
      },
    };
  }
}
