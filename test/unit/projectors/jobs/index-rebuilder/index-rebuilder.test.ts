import { expect } from 'chai';
import type { RebuildStep } from '../../../../../projectors/jobs/index-rebuilder/rebuild-state.js';
import type { RecordedEvent } from '../../../../../shared/contract/events.js';
import { findDrift } from '../../../../../shared/integrity/drift/find-drift.js';
import { DependencyError, PoisonError, RuleError } from '../../../../../shared/kernel/errors.js';
import { embeddingRef } from '../../../../../shared/ports/embedder.js';
import { SUPPLIED_MODEL } from '../../../../../shared/ports/point-payload.js';
import { createWordHashEmbedder } from '../../../../support/adapters/word-hash-embedder.js';
import { rejection } from '../../../../support/checks/rejection.js';
import {
  type IndexRebuild,
  NEW_DIMENSION,
  OLD_DIMENSION,
  onceAt,
  openIndexRebuild,
} from '../../../../support/fixtures/index-rebuild.js';
import { memoryId } from '../../../../support/fixtures/memories.js';
import { deleted, stored } from '../../../../support/fixtures/projector-events.js';

const STEPS: readonly RebuildStep[] = ['fill', 'follow', 'prove', 'activate', 'settle'];
const NO_DIFFERENCE = { missing: 0, orphaned: 0, stale: 0 };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('index rebuild', () => {
  let deployment: IndexRebuild;
  beforeEach(async () => {
    deployment = await openIndexRebuild();
  });
  afterEach(() => deployment.close());

  /** Compares the graph with the index of a space, as sync does. */
  async function differences(): Promise<object> {
    const space = await deployment.active();
    const vectors = await deployment.ports.indexes.openStore(space);
    const ports = { ...deployment.projections, vectors };
    const found = await findDrift(ports, { model: space.model, excludedTypes: [], secondCheckMs: 0 });
    return { number: space.number, ...found };
  }
  const stateOfSpaces = async () =>
    (await deployment.ports.spaces.list()).map(({ number, state, dimension }) => [number, state, dimension]);

  it('switches to an index of another size, and keeps the old one', async () => {
    await deployment.commit(...numbers(1_100).map((number) => stored(number)));
    const progress = await deployment.run('rebuild');
    expect(progress).to.deep.include({
      step: 'done',
      space: 2,
      memories: 1_100,
      filled: 1_100,
      repaired: 0,
      failed: 0,
    });
    expect(progress['parity']).to.deep.equal({ memories: 1_100, points: 1_100, ...NO_DIFFERENCE });
    expect(await stateOfSpaces()).to.deep.equal([
      [1, 'previous', OLD_DIMENSION],
      [2, 'active', NEW_DIMENSION],
    ]);
    expect(await differences()).to.deep.include({ number: 2, memories: 1_100, points: 1_100, differences: [] });
  });

  it('finishes from every checkpoint at which it was stopped', async () => {
    await deployment.commit(...numbers(600).map((number) => stored(number)));
    for (let stops = 0, isDone = false; !isDone; stops += 1) {
      expect(stops).to.be.lessThan(30);
      isDone = await deployment
        .run('rebuild', {
          onSave: (_, number) => {
            if (number === 2) throw new DependencyError('journal', 'stopped');
          },
        })
        .then(
          () => true,
          () => false,
        );
    }
    expect(await differences()).to.deep.include({ number: 2, memories: 600, points: 600, differences: [] });
  });

  for (const step of STEPS) {
    it(`has the changes that were committed at the step ${step}`, async () => {
      await deployment.commit(...numbers(4).map((number) => stored(number)));
      await deployment.run('rebuild', {
        onSave: onceAt(step, () =>
          deployment.commit(stored(2, { version: 2, content: 'changed' }), deleted(3, 2), stored(9)),
        ),
      });
      expect(await differences()).to.deep.include({ number: 2, memories: 4, points: 4, differences: [] });
      const model = `word-hash/${NEW_DIMENSION}`;
      const refs = [3, 9].map((number) => embeddingRef(model, `memory ${number}`));
      expect([...(await deployment.projections.cache.get(refs)).keys()]).to.deep.equal(refs.slice(1));
    });
  }

  it('repairs a difference in the new index before the switch', async () => {
    await deployment.commit(stored(1), stored(2));
    const { indexes } = deployment.ports;
    const progress = await deployment.run('rebuild', {
      onSave: onceAt('prove', async () => {
        const store = await indexes.openStore({ number: 2, dimension: NEW_DIMENSION });
        await store.remove([{ id: memoryId(1), version: 1 }]);
      }),
    });
    expect(progress['repaired']).to.equal(1);
    expect(await differences()).to.deep.include({ points: 2, differences: [] });
  });

  it('finds no difference in a change during the comparison', async () => {
    await deployment.commit(stored(1), stored(2));
    const { graphScan } = deployment.projections;
    let isProving = false;
    const changing: typeof graphScan = {
      ...graphScan,
      memories: async (request) => {
        const page = await graphScan.memories(request);
        if (isProving) await deployment.commit(stored(2, { version: 2, content: 'changed' }), stored(3));
        isProving = false;
        return page;
      },
    };
    const onSave = onceAt('prove', async () => void (isProving = true));
    const progress = await deployment.run('rebuild', { ports: { graphScan: changing }, onSave });
    expect(progress['repaired']).to.equal(0);
    expect(await differences()).to.deep.include({ number: 2, points: 3, differences: [] });
  });

  it('drops the new index when a difference stays after the repair', async () => {
    await deployment.commit(stored(1), stored(2));
    const { indexes } = deployment.ports;
    const lossy: typeof indexes = {
      ...indexes,
      openStore: async (space) => {
        const store = await indexes.openStore(space);
        return {
          ...store,
          upsert: (points, options) =>
            store.upsert(
              points.filter(({ id }) => id !== memoryId(1)),
              options,
            ),
        };
      },
    };
    const error = await rejection(deployment.run('rebuild', { ports: { indexes: lossy } }));
    expect(error).to.be.instanceOf(RuleError);
    expect(deployment.saved().progress.parity).to.deep.include({ missing: 1 });
    expect(await stateOfSpaces()).to.deep.equal([[1, 'active', OLD_DIMENSION]]);
  });

  it('continues after a failure of the embedder, and embeds no text twice', async () => {
    await deployment.commit(...numbers(300).map((number) => stored(number)));
    const embedder = createWordHashEmbedder(NEW_DIMENSION);
    let fails = true;
    const failing = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        if (fails && embedder.calls.length === 2) throw new DependencyError('embedding', 'down');
        return embedder.embed(...args);
      },
    };
    const ports = { openEmbedder: async () => failing };
    expect(await rejection(deployment.run('rebuild', { ports }))).to.be.instanceOf(DependencyError);
    expect((await deployment.active()).number).to.equal(1);
    fails = false;
    await deployment.run('rebuild', { ports });
    expect(await differences()).to.deep.include({ number: 2, points: 300, differences: [] });
    expect(embedder.calls.flat().length).to.equal(300);
  });

  it('leaves out a memory that the embedder refuses, and names it', async () => {
    await deployment.commit(...numbers(40).map((number) => stored(number)));
    const embedder = createWordHashEmbedder(NEW_DIMENSION);
    const refusing = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        if (args[0].includes('memory 7')) throw new PoisonError('refused');
        return embedder.embed(...args);
      },
    };
    const progress = await deployment.run('rebuild', { ports: { openEmbedder: async () => refusing } });
    expect(progress).to.deep.include({ step: 'done', failed: 1, failed_ids: [memoryId(7)] });
    expect(await differences()).to.deep.include({ number: 2, memories: 40, points: 39 });
  });

  it('embeds the content where a supplied vector has another size', async () => {
    const supplied = { ref: 'supplied:1', memoryId: memoryId(1), vector: new Float32Array(OLD_DIMENSION).fill(1) };
    await deployment.projections.cache.put([supplied]);
    await deployment.commit(stored(1, { vectorRef: supplied.ref }));
    const models = async () => {
      const store = await deployment.ports.indexes.openStore(await deployment.active());
      return (await store.points([memoryId(1)])).map(({ model }) => model);
    };
    expect(await models()).to.deep.equal([SUPPLIED_MODEL]);
    await deployment.run('rebuild');
    expect(await models()).to.deep.equal([`word-hash/${NEW_DIMENSION}`]);
    await deployment.commit(stored(1, { version: 2, vectorRef: supplied.ref }));
    await deployment.run('rollback');
    expect(await models()).to.deep.equal([SUPPLIED_MODEL]);
  });

  it('keeps the supplied vector of a memory that returned', async () => {
    await deployment.commit(stored(1));
    const vector = new Float32Array(NEW_DIMENSION).fill(1);
    await deployment.run('rebuild', {
      onSave: onceAt('follow', async () => {
        await deployment.commit(deleted(1, 2));
        await deployment.projections.cache.put([{ ref: 'supplied:1', memoryId: memoryId(1), vector }]);
        await deployment.commit(...numbers(200).map((number) => stored(number + 1)));
        const returned = stored(1, { version: 3, vectorRef: 'supplied:1' });
        await deployment.commit({ ...returned, type: 'memory.stored' } as RecordedEvent); // both types have the same data
      }),
    });
    expect(await differences()).to.deep.include({ number: 2, memories: 201, points: 201, differences: [] });
  });

  it('fails when the process has another embedder than the request', async () => {
    await deployment.commit(stored(1));
    const ports = { openEmbedder: async () => createWordHashEmbedder(8) };
    expect(String(await rejection(deployment.run('rebuild', { ports })))).to.contain('word-hash/24');
    expect(await stateOfSpaces()).to.deep.equal([[1, 'active', OLD_DIMENSION]]);
  });
});
