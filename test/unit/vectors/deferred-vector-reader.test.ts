import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { createDeferredVectorReader } from '../../../shared/vectors/deferred-vector-reader.js';
import { openProjections, type Projections } from '../../support/adapters/projections.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';

describe('deferred vector reader', () => {
  let projections: Projections;
  before(async () => {
    projections = await openProjections({ dimension: 4 });
  });
  after(() => projections.close());

  it('fails like an index that is down until it is open', async () => {
    const warnings: Record<string, unknown>[] = [];
    let isUp = false;
    const reader = createDeferredVectorReader({
      open: async () => {
        if (isUp) return projections.vectors;
        throw new DependencyError('vectors', 'Qdrant does not answer');
      },
      expectedDimension: 3,
      logger: { ...silentLogger, warn: (fields, line) => void warnings.push({ ...fields, line }) },
    });
    expect(await reader.firstAttempt).to.be.instanceOf(DependencyError);
    const error = await rejection(reader.count({ excludedTypes: [] }));
    expect(error)
      .to.be.instanceOf(DependencyError)
      .and.include({ dependency: 'vectors', message: 'The vector index cannot be used yet: Qdrant does not answer' });
    expect(reader.dimension).to.equal(3);
    expect(warnings[0]).to.include({ line: 'opening the vector index failed', reason: 'Qdrant does not answer' });
    expect(warnings[0]?.['waitMs']).to.be.within(0, 950);

    isUp = true;
    expect(
      await until('the index is open', () =>
        reader.count({ excludedTypes: [] }).then(
          (count) => count === 0,
          () => false,
        ),
      ),
    ).to.equal(true);
    expect(reader.dimension).to.equal(4);
    await reader.close();
  });

  it('reports a ConfigurationError of the first attempt and retries', async () => {
    const problem = new ConfigurationError(['The collection holds something else']);
    let tries = 0;
    const reader = createDeferredVectorReader({
      open: async () => {
        tries += 1;
        if (tries === 1) throw problem;
        return projections.vectors;
      },
      expectedDimension: null,
      logger: silentLogger,
    });
    expect(await reader.firstAttempt).to.equal(problem);
    expect(reader.dimension).to.equal(null);
    await until('the index is open', () => reader.dimension === 4);
    await reader.close();
  });

  it('stops retrying when closed', async () => {
    const reader = createDeferredVectorReader({
      open: () => Promise.reject(new DependencyError('vectors', 'down')),
      expectedDimension: null,
      logger: silentLogger,
    });
    await reader.firstAttempt;
    await reader.close();
    expect(reader.dimension).to.equal(null);
  });
});
