import { expect } from 'chai';
import { createVectorIndexer } from '../../../../../projectors/vector-indexer/vector-indexer.js';
import { createWordHashEmbedder } from '../../../../support/adapters/word-hash-embedder.js';
import { until } from '../../../../support/checks/until.js';
import { type IndexRebuild, NEW_DIMENSION, openIndexRebuild } from '../../../../support/fixtures/index-rebuild.js';
import { memoryId } from '../../../../support/fixtures/memories.js';
import { stored } from '../../../../support/fixtures/projector-events.js';

describe('settleSpace', () => {
  let deployment: IndexRebuild;
  beforeEach(async () => {
    deployment = await openIndexRebuild();
    await deployment.commit(stored(1));
  });
  afterEach(() => deployment.close());

  /** As a process does that still uses the old index. */
  async function commitIntoOldIndex(): Promise<void> {
    const { projections } = deployment;
    const event = stored(2);
    await projections.append([event]);
    await projections.graphWriter.apply([event]);
    const indexer = createVectorIndexer({ ...projections, embedder: createWordHashEmbedder() });
    await indexer.project([event], new AbortController().signal);
  }

  it('writes what a late process wrote into the old index only', async () => {
    const { spaces, indexes } = deployment.ports;
    await spaces.report('late', 1);
    let isDone = false;
    const run = deployment.run('rebuild', { ports: { settleMs: 30_000 } }).finally(() => (isDone = true));
    await until('the new index is active', async () => (await deployment.active()).number === 2);
    await commitIntoOldIndex();
    const store = await indexes.openStore({ number: 2, dimension: NEW_DIMENSION });
    await until('the new index has the memory', async () => (await store.versions([memoryId(2)])).size === 1);
    expect(isDone).to.equal(false);
    await spaces.report('late', 2);
    expect((await run)['parity']).to.deep.include({ memories: 2, points: 2 });
  });

  it('ends after its limit when a process keeps the old index', async () => {
    await deployment.ports.spaces.report('late', 1);
    const progress = await deployment.run('rebuild', { ports: { settleMs: 50 } });
    expect(progress['step']).to.equal('done');
  });
});
