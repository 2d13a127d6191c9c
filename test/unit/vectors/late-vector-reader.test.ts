import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { createLateVectorReader } from '../../../shared/vectors/create-late-vector-reader.js';
import { openProjections, type Projections } from '../../support/projections.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/until.js';

describe('a vector index that may come late', () => {
  let projections: Projections;
  before(async () => {
    projections = await openProjections({ dimension: 4 });
  });
  after(() => projections.close());

  it('fails like one that is down until it is there, and is tried until then', async () => {
    const lines: string[] = [];
    let isThere = false;
    const late = createLateVectorReader({
      open: async () => {
        if (isThere) return projections.vectors;
        throw new DependencyError('vectors', 'Qdrant does not answer');
      },
      expectedDimension: 3,
      logger: { ...silentLogger, warn: (_, line) => void lines.push(line) },
    });
    expect(await late.tried).to.be.instanceOf(DependencyError);
    const error = await rejection(late.count({ excludedTypes: [] }));
    expect(error)
      .to.be.instanceOf(DependencyError)
      .and.include({ dependency: 'vectors', message: 'The vector index cannot be used yet: Qdrant does not answer' });
    expect(late.dimension).to.equal(3);
    expect(lines[0]).to.match(/^The vector index cannot be used yet: Qdrant does not answer; next try in 0\.\d s$/u);

    isThere = true;
    expect(
      await until('it is open', () =>
        late.count({ excludedTypes: [] }).then(
          (count) => count === 0,
          () => false,
        ),
      ),
    ).to.equal(true);
    expect(late.dimension).to.equal(4);
    await late.close();
  });

  it('is tried again also after what only somebody else can mend, which it tells', async () => {
    const problem = new ConfigurationError(['The collection holds something else']);
    let tries = 0;
    const late = createLateVectorReader({
      open: async () => {
        tries += 1;
        if (tries === 1) throw problem;
        return projections.vectors;
      },
      expectedDimension: null,
      logger: silentLogger,
    });
    expect(await late.tried).to.equal(problem);
    expect(late.dimension).to.equal(null);
    await until('it is open', () => late.dimension === 4);
    await late.close();
  });

  it('waits no longer once it is closed', async () => {
    const late = createLateVectorReader({
      open: () => Promise.reject(new DependencyError('vectors', 'down')),
      expectedDimension: null,
      logger: silentLogger,
    });
    await late.tried;
    await late.close();
    expect(late.dimension).to.equal(null);
  });
});
