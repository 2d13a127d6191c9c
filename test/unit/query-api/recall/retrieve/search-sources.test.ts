import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { Hit, SourceName } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { createSourceSearch } from '../../../../../query-api/recall/retrieve/search-sources.js';
import type { Run, Source } from '../../../../../query-api/recall/retrieve/sources/source.js';
import { DeadlineError, DependencyError } from '../../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import { NOW, numberedId } from '../memories.js';

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
  search: () => Promise.reject(new Error('this source must not be searched')),
});

function retrieve(...sources: readonly Source[]) {
  return retrieveAfter(async () => undefined, ...sources);
}
function retrieveAfter(awaitIndex: Run['awaitIndex'], ...sources: readonly Source[]) {
  return createSourceSearch({ sources, fallback: finding('trending'), timeoutMs: 5, logger: silentLogger })(plan, {
    stage: (_, work) => work(),
    awaitIndex,
  });
}
async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('source search', () => {
  it('searches the applicable sources and returns hits per source', async () => {
    const { hits, degraded } = await retrieve(finding('vector'), finding('keyword'), idle('trending'));
    expect([...hits]).to.deep.equal([
      ['vector', [hit]],
      ['keyword', [hit]],
    ]);
    expect(degraded).to.deep.equal([]);
  });

  it('does not count the wait for the index in the time limit of a source', async () => {
    const indexed = new Promise<void>((resolve) => void setTimeout(resolve, 50));
    const reading: Source = { ...finding('vector'), readsIndex: true, search: () => indexed.then(() => [hit]) };
    const { hits, degraded } = await retrieveAfter(() => indexed, reading);
    expect([[...hits.keys()], degraded]).to.deep.equal([['vector'], []]);
    const hanging: Source = { ...silent('vector'), readsIndex: true };
    const late = await retrieveAfter(() => indexed, hanging, finding('keyword'));
    expect(late.degraded.map(({ source }) => source)).to.deep.equal(['vector']);
  });

  it('continues without a failed source and reports it', async () => {
    const { hits, degraded } = await retrieve(
      failing('vector', new DependencyError('embedding', 'no encoder')),
      finding('keyword'),
    );
    expect([...hits.keys()]).to.deep.equal(['keyword']);
    expect(degraded).to.deep.equal([{ source: 'embedding', reason: 'no encoder' }]);
  });

  it('continues without a source that exceeds the deadline', async () => {
    const { degraded } = await retrieve(silent('vector'), finding('keyword'));
    expect(degraded).to.deep.equal([
      { source: 'vector', reason: 'The vector search did not answer within 5 ms: try again' },
    ]);
  });

  it('fails when the graph fails', async () => {
    const down = new DependencyError('graph', 'Graph database unavailable');
    expect(await failure(retrieve(finding('vector'), failing('keyword', down)))).to.equal(down);
  });

  it('searches the fallback when vectors are the only source and fail', async () => {
    const { hits, degraded } = await retrieve(failing('vector', new DependencyError('vectors', 'down')));
    expect([...hits.keys()]).to.deep.equal(['trending']);
    expect(degraded).to.deep.equal([{ source: 'vectors', reason: 'down' }]);
  });

  it('fails when the keyword and the vector source both fail', async () => {
    const error = await failure(retrieve(failing('vector', new DependencyError('vectors', 'down')), silent('keyword')));
    expect(error).to.be.instanceOf(DeadlineError);
  });

  it('continues without the metadata source', async () => {
    const { hits, degraded } = await retrieve(finding('vector'), silent('metadata'));
    expect([...hits.keys()]).to.deep.equal(['vector']);
    expect(degraded).to.deep.equal([
      { source: 'metadata', reason: 'The metadata search did not answer within 5 ms: try again' },
    ]);
  });

  it('does not accept metadata hits as the only answer', async () => {
    const down = failing('vector', new DependencyError('vectors', 'down'));
    expect(await failure(retrieve(down, silent('keyword'), finding('metadata')))).to.be.instanceOf(DeadlineError);
    expect([...(await retrieve(down, silent('metadata'))).hits.keys()]).to.deep.equal(['trending']);
  });

  it('rethrows a bug', async () => {
    const bug = new TypeError('x is undefined');
    expect(await failure(retrieve(failing('vector', bug), finding('keyword')))).to.equal(bug);
  });
});
