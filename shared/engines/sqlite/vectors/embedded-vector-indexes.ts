/** The stored indexes of the vector spaces in SQLite: one table for each. */
import type { MemoryId } from '../../../contract/memory.js';
import { checkedPoint } from '../../../ports/checked-vectors.js';
import type { SpaceStore, VectorIndexes, VectorSpace } from '../../../ports/vector-spaces.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { createEmbeddedVectorIndex, type EmbeddedVectorIndex } from './embedded-vector-index.js';
import { createEmbeddedPointReader } from './read-points.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';
import { spaceTable } from './space-table.js';
import { removePoints, WRITE_LIMIT, writePoints } from './write-points.js';

export type EmbeddedVectorIndexes = VectorIndexes & {
  /**
   * Opens an index for searches, too. From then on the writes of every store of this space go through it, so that its
   * scan thread has them.
   */
  readonly openIndex: (space: Pick<VectorSpace, 'number' | 'dimension'>) => Promise<EmbeddedVectorIndex>;
};

export function createEmbeddedVectorIndexes({ host }: { readonly host: SqliteHost }): EmbeddedVectorIndexes {
  const open = new Map<number, Promise<EmbeddedVectorIndex>>();
  /** Writes past the scan threads. An index loads its points after them. */
  const writing = new Set<Promise<void>>();
  const create = (space: number) => host.write(createSpaceTable, space).catch(rethrowAsVectors);

  async function load({ number, dimension }: Pick<VectorSpace, 'number' | 'dimension'>): Promise<EmbeddedVectorIndex> {
    await Promise.allSettled(writing);
    await create(number);
    const index = await createEmbeddedVectorIndex({ host, dimension, space: number });
    return {
      ...index,
      close: async () => {
        open.delete(number);
        await index.close();
      },
    };
  }

  async function write(space: number, { through, past }: Write): Promise<void> {
    const index = await open.get(space);
    if (index) return through(index);
    const written = past();
    writing.add(written);
    return written.finally(() => writing.delete(written));
  }

  return {
    openIndex: (space) => {
      const opening = load(space);
      open.set(space.number, opening);
      opening.catch(() => open.delete(space.number));
      return opening;
    },
    openStore: async ({ number, dimension }) => {
      await create(number);
      return createSpaceStore({ host, space: number, dimension, write: (both) => write(number, both) });
    },
    drop: (number) => host.write(dropSpaceTable, number).catch(rethrowAsVectors),
    publish: async () => undefined,
  };
}

/** One write: through an index that is open for searches, or past it into the table alone. */
type Write = {
  readonly through: (index: EmbeddedVectorIndex) => Promise<void>;
  readonly past: () => Promise<void>;
};

function createSpaceStore({
  host,
  space,
  dimension,
  write,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'writeDerived'>;
  readonly space: number;
  readonly dimension: number;
  readonly write: (both: Write) => Promise<void>;
}): SpaceStore {
  async function inGroups<T>(items: readonly T[], writeGroup: (group: readonly T[]) => Promise<void>): Promise<void> {
    for (let start = 0; start < items.length; start += WRITE_LIMIT)
      await writeGroup(items.slice(start, start + WRITE_LIMIT)).catch(rethrowAsVectors);
  }
  return {
    ...createEmbeddedPointReader({ host, space }),
    versions: (ids) => host.read(storedVersions, { space, ids }).catch(rethrowAsVectors),
    count: ({ excludedTypes }) => host.read(countStored, { space, excludedTypes }).catch(rethrowAsVectors),
    upsert: async (points) => {
      const checked = points.map((point) => ({ ...point, vector: checkedPoint(point, dimension) }));
      await write({
        through: (index) => index.upsert(checked),
        past: () => inGroups(checked, (items) => host.writeDerived(writePoints, { space, items })),
      });
    },
    remove: async (removals) => {
      await write({
        through: (index) => index.remove(removals),
        past: () => inGroups(removals, (items) => host.writeDerived(removePoints, { space, items })),
      });
    },
  };
}

/** As the migrations create the table of space 1. */
export const createSpaceTable = procedure(import.meta.url, 'createSpaceTable', (database, space: number): void => {
  database.run(
    `CREATE TABLE IF NOT EXISTS ${spaceTable(space)} (
       n INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       version INTEGER NOT NULL,
       model TEXT,
       vector BLOB,
       payload TEXT
     )`,
    [],
  );
});

/** The table of space 1 belongs to the migrations, so it is emptied. */
export const dropSpaceTable = procedure(import.meta.url, 'dropSpaceTable', (database, space: number): void => {
  database.run(space === 1 ? 'DELETE FROM points' : `DROP TABLE IF EXISTS ${spaceTable(space)}`, []);
});

type Versions = { readonly space: number; readonly ids: readonly MemoryId[] };

export const storedVersions = procedure(
  import.meta.url,
  'storedVersions',
  (database, { space, ids }: Versions): ReadonlyMap<MemoryId, number> =>
    new Map(
      ids.flatMap((id) => {
        const row = database.get(`SELECT version FROM ${spaceTable(space)} WHERE id = ? AND vector IS NOT NULL`, [id]);
        return row === undefined ? [] : [[id, Number(row['version'])] as const];
      }),
    ),
);

type Count = { readonly space: number; readonly excludedTypes: readonly string[] };

export const countStored = procedure(
  import.meta.url,
  'countStored',
  (database, { space, excludedTypes }: Count): number => {
    const row = database.get(
      `SELECT count(*) AS points FROM ${spaceTable(space)}
       WHERE vector IS NOT NULL AND json_extract(payload, '$.type') NOT IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(excludedTypes)],
    );
    return Number(row?.['points'] ?? 0);
  },
);
