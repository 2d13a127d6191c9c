import { expect } from 'chai';
import { createReindexer, type Reindexer } from '../../../../projectors/vector-indexer/reindexer.js';
import { createVectorIndexer } from '../../../../projectors/vector-indexer/vector-indexer.js';
import type { MemoryId } from '../../../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../../../shared/contract/projector-names.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { until } from '../../../support/checks/until.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { filter, point } from '../../../support/fixtures/points.js';
import { deleted, stored } from '../../../support/fixtures/projector-events.js';

const WRONG = new Float32Array(16).fill(1);

describe('reindexer', () => {
  let projections: Projections;
  let embedder: ReturnType<typeof createWordHashEmbedder>;
  let reindexer: Reindexer;
  let isPaused: boolean;
  let pausesRead: number;

  beforeEach(async () => {
    [isPaused, pausesRead] = [false, 0];
    projections = await openProjections({ dimension: 16 });
    embedder = createWordHashEmbedder(16);
    const indexer = createVectorIndexer({ embedder, ...projections });
    reindexer = await createReindexer({
      ...projections,
      source: projections.stream,
      repair: indexer.repair,
      states: {
        paused: async () => {
          if (isPaused) pausesRead += 1;
          return new Set(isPaused ? [VECTOR_INDEXER] : []);
        },
      },
      logger: silentLogger,
    });
  });
  afterEach(async () => {
    await reindexer.close();
    await projections.close();
  });

  function request(ids: readonly MemoryId[]): void {
    projections.stream.notify({ kind: 'reindex', ids, at: '2024-06-01T00:00:00+00:00' });
  }
  async function applied(...events: Parameters<Projections['append']>[0]): Promise<void> {
    await projections.append(events);
    await projections.graphWriter.apply(await projections.journal.read({ after: 0, limit: 10 }));
  }
  const nearest = async (text: string): Promise<readonly string[]> => {
    const [vector = new Float32Array()] = await createWordHashEmbedder(16).embed([text], { purpose: 'query' });
    const hits = await projections.vectors.search({ vector, limit: 1, filter: filter() });
    return hits.filter(({ similarity }) => similarity > 0.99).map(({ id }) => id);
  };
  const versionOf = async (number: number) =>
    (await projections.vectors.versions([memoryId(number)])).get(memoryId(number));

  it('writes the point of a memory without one, and a wrong point of the same version', async () => {
    await applied(stored(1, { content: 'dark mode' }), stored(2, { content: 'postgres migrations' }));
    await projections.vectors.upsert([point(2, { vector: WRONG })]);
    request([memoryId(1), memoryId(2)]);
    await until('both points are right', async () => {
      const found = [await nearest('dark mode'), await nearest('postgres migrations')];
      return found.flat().join() === [memoryId(1), memoryId(2)].join();
    });
  });

  it('leaves a point of a newer version as it is', async () => {
    await applied(stored(1), stored(2));
    await projections.vectors.upsert([point(1, { version: 2, vector: WRONG })]);
    request([memoryId(1), memoryId(2)]);
    await until('the other point is there', async () => (await versionOf(2)) === 1);
    expect(await versionOf(1)).to.equal(2);
  });

  it('removes the points of a deleted memory and of one that never existed', async () => {
    await applied(stored(1), deleted(1, 2), stored(3));
    await projections.vectors.upsert([point(1), point(2, { vector: WRONG })].map((one) => ({ ...one, vector: WRONG })));
    request([memoryId(1), memoryId(2), memoryId(3)]);
    await until('the last point is there', async () => (await versionOf(3)) === 1);
    expect([await versionOf(1), await versionOf(2)]).to.deep.equal([undefined, undefined]);
  });

  it('keeps the point of a memory with events that the graph does not have', async () => {
    await projections.append([stored(1)]);
    await projections.vectors.upsert([point(1, { vector: WRONG })]);
    await projections.append([stored(2)]);
    await projections.graphWriter.apply(await projections.journal.read({ after: 1, limit: 10 }));
    request([memoryId(1), memoryId(2)]);
    await until('the other point is there', async () => (await versionOf(2)) === 1);
    expect(await versionOf(1)).to.equal(1);
  });

  it('takes the vector of a text from the cache', async () => {
    await applied(stored(1, { content: 'dark mode' }));
    request([memoryId(1)]);
    await until('the point is there', async () => (await versionOf(1)) === 1);
    await projections.vectors.upsert([point(1, { vector: WRONG })]);
    request([memoryId(1)]);
    await until('the point is right again', async () => (await nearest('dark mode')).length === 1);
    expect(embedder.calls).to.deep.equal([['dark mode']]);
  });

  it('waits while the vector indexer is paused', async () => {
    await applied(stored(1));
    isPaused = true;
    request([memoryId(1)]);
    await until('the pause is read', () => pausesRead > 0);
    await reindexer.close();
    expect(await versionOf(1)).to.equal(undefined);
  });
});
