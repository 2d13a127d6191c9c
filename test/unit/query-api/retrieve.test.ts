import { expect } from 'chai';
import { queryConfig } from '../../../query-api/config.js';
import type { Hit, SourceName } from '../../../query-api/recall/candidate.js';
import { planRecall } from '../../../query-api/recall/plan.js';
import { createRetrieve } from '../../../query-api/recall/retrieve.js';
import type { Source } from '../../../query-api/recall/sources/source.js';
import { DeadlineError, DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { NOW, numberedId } from './memories.js';

const plan = planRecall({ query: 'redis' }, { config: queryConfig({}).recall, dimension: 4, now: NOW });
const hit: Hit = { id: numberedId(1), evidence: { source: 'keyword' } };
const finding = (name: SourceName): Source => ({ name, applies: () => true, search: () => Promise.resolve([hit]) });
const failing = (name: SourceName, error: Error): Source => ({
  name,
  applies: () => true,
  search: () => Promise.reject(error),
});
const silent = (name: SourceName): Source => ({
  name,
  applies: () => true,
  search: () => new Promise(() => undefined),
});
const idle = (name: SourceName): Source => ({
  name,
  applies: () => false,
  search: () => Promise.reject(new Error('nobody should ask')),
});

function retrieve(...sources: readonly Source[]) {
  return createRetrieve({ sources, fallback: finding('trending'), timeoutMs: 5, logger: silentLogger })(
    plan,
    (_, work) => work(),
  );
}
async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('retrieving candidates', () => {
  it('asks the sources that apply and keeps their hits apart', async () => {
    const { hits, degraded } = await retrieve(finding('vector'), finding('keyword'), idle('trending'));
    expect([...hits]).to.deep.equal([
      ['vector', [hit]],
      ['keyword', [hit]],
    ]);
    expect(degraded).to.deep.equal([]);
  });

  it('goes on without a source that fails, and says so', async () => {
    const { hits, degraded } = await retrieve(
      failing('vector', new DependencyError('embedding', 'no encoder')),
      finding('keyword'),
    );
    expect([...hits.keys()]).to.deep.equal(['keyword']);
    expect(degraded).to.deep.equal([{ source: 'embedding', reason: 'no encoder' }]);
  });

  it('goes on without a source that is too slow', async () => {
    const { degraded } = await retrieve(silent('vector'), finding('keyword'));
    expect(degraded).to.deep.equal([
      { source: 'vector', reason: 'The vector search did not answer within 5 ms: try again' },
    ]);
  });

  it('fails with the graph', async () => {
    const down = new DependencyError('graph', 'Graph database unavailable');
    expect(await failure(retrieve(finding('vector'), failing('keyword', down)))).to.equal(down);
  });

  it('lists what is important when vectors alone were asked for and cannot answer', async () => {
    const { hits, degraded } = await retrieve(failing('vector', new DependencyError('vectors', 'down')));
    expect([...hits.keys()]).to.deep.equal(['trending']);
    expect(degraded).to.deep.equal([{ source: 'vectors', reason: 'down' }]);
  });

  it('fails when neither words nor vectors can be searched', async () => {
    const error = await failure(retrieve(failing('vector', new DependencyError('vectors', 'down')), silent('keyword')));
    expect(error).to.be.instanceOf(DeadlineError);
  });

  it('goes on without the metadata', async () => {
    const { hits, degraded } = await retrieve(finding('vector'), silent('metadata'));
    expect([...hits.keys()]).to.deep.equal(['vector']);
    expect(degraded).to.deep.equal([
      { source: 'metadata', reason: 'The metadata search did not answer within 5 ms: try again' },
    ]);
  });

  it('takes what only metadata found for no answer', async () => {
    const down = failing('vector', new DependencyError('vectors', 'down'));
    expect(await failure(retrieve(down, silent('keyword'), finding('metadata')))).to.be.instanceOf(DeadlineError);
    expect([...(await retrieve(down, silent('metadata'))).hits.keys()]).to.deep.equal(['trending']);
  });

  it('does not hide a bug', async () => {
    const bug = new TypeError('x is undefined');
    expect(await failure(retrieve(failing('vector', bug), finding('keyword')))).to.equal(bug);
  });
});
