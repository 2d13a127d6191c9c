import { expect } from 'chai';
import { findDrift } from '../../../../../shared/integrity/drift/find-drift.js';
import { DependencyError, RuleError } from '../../../../../shared/kernel/errors.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { type IndexRebuild, onceAt, openIndexRebuild } from '../../../../support/fixtures/index-rebuild.js';
import { deleted, stored } from '../../../../support/fixtures/projector-events.js';
import { RUNNING_INDEXER } from '../../../../support/fixtures/projector-states.js';

describe('index rollback', () => {
  let deployment: IndexRebuild;
  beforeEach(async () => {
    deployment = await openIndexRebuild();
    await deployment.commit(stored(1), stored(2), stored(3));
  });
  afterEach(() => deployment.close());

  async function expectNoDifference(number: number, points: number): Promise<void> {
    const space = await deployment.active();
    expect(space.number).to.equal(number);
    const vectors = await deployment.ports.indexes.openStore(space);
    const ports = { ...deployment.projections, vectors };
    const found = await findDrift(ports, { model: space.model, excludedTypes: [], secondCheckMs: 0 });
    expect(found).to.deep.include({ memories: points, points, differences: [] });
  }

  it('returns to the previous index with what was committed since', async () => {
    await deployment.run('rebuild');
    await deployment.commit(stored(1, { version: 2, content: 'changed' }), deleted(2, 2), stored(4));
    const progress = await deployment.run('rollback', { onSave: onceAt('settle', () => deployment.commit(stored(5))) });
    expect(progress).to.deep.include({ step: 'done', space: 1, filled: 0, repaired: 0 });
    await expectNoDifference(1, 4);
  });

  it('begins where the slowest indexer of the previous index was', async () => {
    const positions = [3, 2].map((position, index) => ({
      ...RUNNING_INDEXER,
      instance: `indexer-${index}`,
      position,
      heartbeatAt: '2024-06-01T00:00:00+00:00',
      heartbeatAgeMs: 0,
    }));
    await deployment.run('rebuild', { ports: { states: { list: async () => positions } } });
    const [previous] = await deployment.ports.spaces.list();
    expect(previous?.position).to.equal(2);
    expect(await deployment.run('rollback')).to.deep.include({ followed: 1 });
  });

  it('returns to the newer index when it is repeated', async () => {
    await deployment.run('rebuild');
    await deployment.run('rollback');
    await deployment.commit(stored(4));
    await deployment.run('rollback');
    await expectNoDifference(2, 4);
  });

  it('continues where it was stopped', async () => {
    await deployment.run('rebuild');
    await deployment.commit(stored(4));
    const stop = () => {
      throw new DependencyError('journal', 'stopped');
    };
    await rejection(deployment.run('rollback', { onSave: (_, number) => (number === 3 ? stop() : undefined) }));
    await deployment.run('rollback');
    await expectNoDifference(1, 4);
  });

  it('fails without a previous index', async () => {
    expect(await rejection(deployment.run('rollback'))).to.be.instanceOf(RuleError);
    await expectNoDifference(1, 3);
  });

  it('drops the index before the previous one at the next rebuild', async () => {
    await deployment.run('rebuild');
    await deployment.run('rebuild');
    const spaces = await deployment.ports.spaces.list();
    expect(spaces.map(({ number, state }) => [number, state])).to.deep.equal([
      [2, 'previous'],
      [3, 'active'],
    ]);
    const former = await deployment.ports.indexes.openStore({ number: 1, dimension: 16 });
    expect(await former.count({ excludedTypes: [] })).to.equal(0);
  });
});
