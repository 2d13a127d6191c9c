/** The stores of the vector spaces, with their stored indexes, that the contract suite runs over. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { createQdrantVectorIndexes } from '../../../shared/engines/qdrant/open.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { spaceMigrations, vectorMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { createEmbeddedVectorIndexes } from '../../../shared/engines/sqlite/vectors/embedded-vector-indexes.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { VectorIndexes, VectorSpaces } from '../../../shared/ports/vector-spaces.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { dropCollections, qdrantTestConfig } from '../servers/qdrant.js';
import { isServerWanted } from '../servers/servers.js';
import { serveInThread } from './sqlite-in-thread.js';

export type OpenSpaces = { readonly spaces: VectorSpaces; readonly close: () => Promise<void> };
export type OpenIndexes = { readonly indexes: VectorIndexes; readonly close: () => Promise<void> };

export const SPACE_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenSpaces> }[] = [
  { name: 'sqlite', open: openSqliteSpaces },
  ...(isServerWanted('postgres')
    ? [
        {
          name: 'postgres',
          open: async () => {
            const { postgres, remove } = await openTemporaryPostgres();
            return { spaces: postgresRecords(postgres).spaces, close: remove };
          },
        },
      ]
    : []),
];

export const INDEXES_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenIndexes> }[] = [
  {
    name: 'embedded',
    open: async () => {
      const { host, close } = await openHost();
      return { indexes: createEmbeddedVectorIndexes({ host }), close };
    },
  },
  ...(isServerWanted('qdrant')
    ? [
        {
          name: 'qdrant',
          open: async () => {
            const config = qdrantTestConfig();
            return {
              indexes: createQdrantVectorIndexes({ config, logger: silentLogger }),
              close: () => dropCollections(config),
            };
          },
        },
      ]
    : []),
];

export async function openSqliteSpaces(): Promise<OpenSpaces> {
  const { host, close } = await openHost();
  return { spaces: sqliteRecords(host).spaces, close };
}

async function openHost() {
  const folder = await mkdtemp(join(tmpdir(), 'spaces-'));
  const migrations = [vectorMigrations, spaceMigrations];
  const host = await createSqliteHost({
    file: join(folder, 'test.db'),
    readers: 1,
    migrations,
    startWorker: serveInThread,
  });
  return {
    host,
    close: async () => {
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}
