/** The vector indexes that the contract suite runs over. A new engine adds one entry. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQdrantIndexMark } from '../../../shared/engines/qdrant/qdrant-index-mark.js';
import type { QdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { vectorMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { createEmbeddedIndexMark } from '../../../shared/engines/sqlite/vectors/embedded-index-mark.js';
import { createEmbeddedVectorIndex } from '../../../shared/engines/sqlite/vectors/embedded-vector-index.js';
import type { IndexMark } from '../../../shared/ports/index-mark.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../../shared/ports/vectors.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../servers/qdrant.js';
import { isServerWanted } from '../servers/servers.js';
import { serveInThread } from './sqlite-in-thread.js';

export type OpenIndex = {
  readonly index: VectorIndexReader & VectorIndexWriter;
  readonly mark: IndexMark;
  /** Closes the index and opens a new one over the same points, like a restart. */
  readonly reopen: (dimension?: number) => Promise<OpenIndex>;
  /** Closes the index and deletes its points. */
  readonly close: () => Promise<void>;
};
export type VectorAdapter = { readonly name: string; readonly open: (dimension: number) => Promise<OpenIndex> };

export const VECTOR_ADAPTERS: readonly VectorAdapter[] = [
  { name: 'embedded', open: openEmbedded },
  ...(isServerWanted('qdrant')
    ? [{ name: 'qdrant', open: (dimension: number) => openQdrant(qdrantTestConfig(), dimension) }]
    : []),
];

async function openEmbedded(dimension: number): Promise<OpenIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  return openEmbeddedIn(folder, dimension).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
}

async function openEmbeddedIn(folder: string, dimension: number): Promise<OpenIndex> {
  const host = await createSqliteHost({
    file: join(folder, 'test.db'),
    readers: 1,
    migrations: [vectorMigrations],
    startWorker: serveInThread,
  });
  const index = await createEmbeddedVectorIndex({ host, dimension }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  return {
    index,
    mark: createEmbeddedIndexMark({ host }),
    reopen: async (next = dimension) => {
      await host.close();
      return openEmbeddedIn(folder, next);
    },
    close: async () => {
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openQdrant(config: QdrantConfig, dimension: number): Promise<OpenIndex> {
  return {
    index: await openQdrantIndex(config, dimension),
    mark: createQdrantIndexMark({ config, number: 1 }),
    reopen: (next = dimension) => openQdrant(config, next),
    close: () => dropCollections(config),
  };
}
