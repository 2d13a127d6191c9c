/** A real SQLite host over a folder that goes with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteHost } from '../../shared/sqlite/create-sqlite-host.js';
import type { Migrations } from '../../shared/sqlite/database.js';
import type { SqliteHost } from '../../shared/sqlite/host.js';

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
  const { folder, remove } = await temporaryFolder();
  const file = join(folder, 'palimpsest.db');
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
        await remove();
      },
    };
  }
}

export async function temporaryFolder(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
