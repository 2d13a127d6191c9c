/** Searches keep what they find in the memory of a reader thread. They find it again in the thread that replaces it. */
import { expect } from 'chai';
import { createSqliteGraphReader } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { SQLITE_SCHEMA } from '../../../../../shared/engines/sqlite/schema/schema.js';
import {
  createSharedThreads,
  type SharedThreads,
} from '../../../../../shared/engines/sqlite/threads/shared-threads.js';
import { createEmbeddedVectorIndex } from '../../../../../shared/engines/sqlite/vectors/embedded-vector-index.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import { queryTerms } from '../../../../../shared/text/analyzer.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../support/adapters/sqlite.js';
import { endThread } from '../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { until } from '../../../../support/checks/until.js';
import { memory, memoryId, stored } from '../../../../support/fixtures/memories.js';
import { filter, point } from '../../../../support/fixtures/points.js';

const SEARCHED = { filter: filter({ state: 'unarchived' }), limit: 10 };
/** More than two pages for the loading of vectors. */
const MANY = 2_500;

describe('searches after the end of a reader thread', () => {
  let threads: SharedThreads;
  let opened: readonly TemporaryHost[];
  beforeEach(async () => {
    threads = createSharedThreads({ writers: 1, readers: 1 }, silentLogger);
    const open = () => openTemporaryHost(SQLITE_SCHEMA, { startWorker: threads.start });
    opened = [await open(), await open()];
  });
  afterEach(async () => {
    for (const temporary of opened) await temporary.remove();
    await threads.close();
  });

  it('find words and vectors in each database', async () => {
    const databases = await Promise.all(
      opened.map(async ({ host }, number) => {
        await createSqliteGraphWriter({ host }).apply([stored(memory(number, { content: 'The lantern hangs' }))]);
        const graph = createSqliteGraphReader({ host });
        const index = await createEmbeddedVectorIndex({ host, dimension: 3 });
        await index.upsert(
          Array.from({ length: MANY }, (_, each) => point(each, { vector: Float32Array.of(0, 1, 0) })),
        );
        await index.upsert([point(MANY + number)]);
        const search = async () => ({
          words: await graph.keyword({ terms: queryTerms('lantern'), ...SEARCHED }),
          vectors: (await index.search({ vector: Float32Array.of(1, 0, 0), ...SEARCHED, limit: 1 })).map(
            ({ id }) => id,
          ),
          points: await index.count({ excludedTypes: [] }),
        });
        return { search, host };
      }),
    );
    const found = () => Promise.all(databases.map(({ search }) => search()));
    const expected = databases.map((_, number) => ({
      words: [memoryId(number)],
      vectors: [memoryId(MANY + number)],
      points: MANY + 1,
    }));
    expect(await found()).to.deep.equal(expected);
    await rejection(databases[0]?.host.read(endThread, null) ?? Promise.resolve());
    await rejection(found());
    expect(await until('the searches answer', () => found().catch(() => null))).to.deep.equal(expected);
  });
});
