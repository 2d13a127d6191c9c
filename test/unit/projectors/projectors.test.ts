import { expect } from 'chai';
import { projectorConfig } from '../../../projectors/config.js';
import { createProjectors, type Projectors } from '../../../projectors/projectors.js';
import { CACHE_CLEANER } from '../../../shared/contract/projector-names.js';
import { ConfigurationError, type Environment } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import type { ConsolidationRecords } from '../../../shared/ports/consolidation-records.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { openProjections, type Projections } from '../../support/adapters/projections.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { until } from '../../support/checks/until.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { deleted, stored } from '../../support/fixtures/projector-events.js';

const noConsolidation: ConsolidationRecords = {
  begin: async () => undefined,
  lastRuns: async () => new Map(),
  record: async () => undefined,
  history: async () => [],
};

describe('createProjectors', () => {
  let projections: Projections;
  let projectors: Projectors;
  let accessed: string[];

  async function start(embedder: Embedder = createWordHashEmbedder(16), variables: Environment = {}): Promise<void> {
    projectors = await createProjectors({
      ...projections,
      embedder,
      openEmbedder: async () => embedder,
      source: projections.stream,
      config: projectorConfig(variables),
      logger: silentLogger,
      instance: 'test',
      clock: { now: () => new Date('2024-06-01T00:00:00Z') },
      recordAccess: async (ids) => void accessed.push(...ids),
      publisher: projections.stream,
      recordEnrichments: async () => [],
      recordConsolidation: async () => [],
      consolidationRecords: noConsolidation,
      describe: null,
      inspector: { tagCounts: async () => [], memoriesTagged: async () => new Map() },
      jobs: { create: () => Promise.reject(new Error('no job is due')) },
      metrics: NO_METRICS,
    });
  }

  beforeEach(async () => {
    accessed = [];
    projections = await openProjections({ dimension: 16 });
  });
  afterEach(async () => {
    await projectors.close();
    await projections.close();
  });
  const count = () => projections.vectors.count({ excludedTypes: [] });

  it('indexes journalled memories, even those journalled before the start', async () => {
    await projections.append([stored(1)]);
    await start();
    await projections.append(Array.from({ length: 300 }, (_, index) => stored(index + 2)));
    await projectors.settled();
    expect(await count()).to.equal(301);
    expect(projectors.status()[0]).to.include({ name: 'vector-indexer', handled: 301, failed: 0 });
  });

  it('cleans the embedding cache when the last pass is more than a day ago', async () => {
    const passed = async () => (await projections.states.list()).filter(({ name }) => name === CACHE_CLEANER);
    await start(undefined, { EMBEDDING_CACHE_RETENTION_DAYS: '0' });
    await projectors.close();
    expect(await passed()).to.deep.equal([]);
    await start();
    await until('the pass', async () => (await passed()).length > 0);
    expect((await passed())[0]?.detail).to.deep.equal({
      checked_at: '2024-06-01T00:00:00+00:00',
      used: 0,
      unused: 0,
      removed: 0,
    });
  });

  it('continues after the last position when started again', async () => {
    await start();
    await projections.append([stored(1)]);
    await projectors.settled();
    await projectors.close();
    await projections.append([stored(2), deleted(1, 2)]);
    const embedder = createWordHashEmbedder(16);
    await start(embedder);
    await projectors.settled();
    expect(await projections.vectors.versions([memoryId(1), memoryId(2)])).to.deep.equal(new Map([[memoryId(2), 1]]));
    expect(embedder.calls).to.deep.equal([['memory 2']]);
  });

  it('waits while the embedder fails, then indexes the waiting memories', async () => {
    const working = createWordHashEmbedder(16);
    let failures = 2;
    const embed: Embedder['embed'] = (...call) =>
      failures-- > 0
        ? Promise.reject(new DependencyError('embedding', 'down', { retryAfterSeconds: 0.01 }))
        : working.embed(...call);
    await start({ ...working, embed });
    await projections.append([stored(1)]);
    await projectors.settled();
    expect(await count()).to.equal(1);
    expect(await projections.deadLetters.count()).to.equal(0);
    expect(projectors.status()[0]?.lastError).to.equal('down');
  });

  it('records recalls', async () => {
    await start();
    projections.stream.notify({ kind: 'recalled', ids: [memoryId(1)], at: '2024-06-01T00:00:00+00:00' });
    await projectors.settled();
    expect(accessed).to.deep.equal([memoryId(1)]);
  });

  it('runs only the configured projectors', async () => {
    await start(createWordHashEmbedder(16), { PROJECTORS: 'vector-indexer' });
    await projections.append([stored(1)]);
    projections.stream.notify({ kind: 'recalled', ids: [memoryId(1)], at: '2024-06-01T00:00:00+00:00' });
    await projectors.settled();
    expect(await count()).to.equal(1);
    expect(projectors.status().map(({ name }) => name)).to.deep.equal(['vector-indexer']);
    await projectors.close();
    expect(accessed).to.deep.equal([]);

    await start(createWordHashEmbedder(16), { PROJECTORS: 'enricher, access-recorder' });
    await projections.append([stored(2)]);
    expect(projectors.status().map(({ name }) => name)).to.deep.equal(['enricher']);
    expect(await count(), 'the indexer does not run').to.equal(1);
  });

  it('rejects invalid variables with their problems', async () => {
    await start();
    expect(() => projectorConfig({ PROJECTOR_STATE_SAVE_MS: '0' })).to.throw(
      ConfigurationError,
      'PROJECTOR_STATE_SAVE_MS must be at least 100',
    );
    expect(() => projectorConfig({ PROJECTORS: 'enricher,indexer' })).to.throw(
      ConfigurationError,
      'PROJECTORS names indexer, which is no projector: name one or more of vector-indexer',
    );
    expect(() => projectorConfig({ PROJECTORS: ',' })).to.throw(ConfigurationError, 'PROJECTORS is empty');
  });
});
