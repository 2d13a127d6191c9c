/** What goes over the wire, and what becomes of answers that are none: seen by a server that remembers. */
import { expect } from 'chai';
import { ConfigurationError } from '../../../../shared/kernel/config.js';
import { DependencyError, PoisonError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import {
  openQdrantVectorIndex,
  type QdrantVectorIndex,
} from '../../../../shared/vectors/qdrant/open-qdrant-vector-index.js';
import { qdrantConfig } from '../../../../shared/vectors/qdrant/qdrant-variables.js';
import {
  refusal,
  startQdrantStandIn,
  type QdrantAnswer,
  type QdrantRequest,
  type QdrantStandIn,
} from '../../../support/qdrant-stand-in.js';
import { rejection } from '../../../support/rejection.js';
import { filter, memoryId, point } from '../../../support/vectors.js';

describe('the Qdrant vector index on the wire', () => {
  let server: QdrantStandIn;
  let answer: (asked: QdrantRequest) => QdrantAnswer | null;
  beforeEach(async () => {
    answer = () => null;
    server = await startQdrantStandIn((asked) => answer(asked));
  });
  afterEach(() => server.close());

  const open = (environment: Record<string, string> = {}): Promise<QdrantVectorIndex> =>
    openQdrantVectorIndex({
      config: qdrantConfig({ QDRANT_URL: server.url, QDRANT_TIMEOUT_SECONDS: '5', ...environment }),
      dimension: 3,
      logger: silentLogger,
    });
  const failing = (part: string, failure: QdrantAnswer) => (asked: QdrantRequest) =>
    asked.path.includes(part) ? failure : null;
  const search = (index: QdrantVectorIndex) =>
    index.search({ vector: Float32Array.of(1, 0, 0), limit: 5, filter: filter() });

  it('asks in one request for what is searched for at once, then exactly as it found little, and for one search in its own', async () => {
    const index = await open();
    const before = server.asked.length;
    await Promise.all([search(index), search(index), search(index)]);
    await search(index);
    expect(server.asked.slice(before).map(({ path }) => path.split('?')[0]?.split('/points')[1])).to.deep.equal([
      '/query/batch',
      '/query/batch',
      '/query',
      '/query',
    ]);
    const { searches } = JSON.parse(server.asked[before]?.body ?? '') as { readonly searches: readonly unknown[] };
    expect(searches).to.have.length(3);
  });

  it('accepts no compression and sends its key, with every request', async () => {
    const index = await open({ QDRANT_API_KEY: 'secret-key' });
    await index.upsert([point(1)]);
    await index.remove([{ id: memoryId(1), version: 2 }]);
    await search(index);
    await index.versions([memoryId(1)]);
    await index.count({ excludedTypes: [] });
    await index.ping();
    expect(server.asked.length).to.be.greaterThan(7);
    for (const { headers } of server.asked)
      expect(headers).to.include({ 'accept-encoding': 'identity', 'api-key': 'secret-key' });
  });

  it('only looks where everything is there already', async () => {
    await open();
    expect(new Set(server.asked.map(({ method }) => method))).to.deep.equal(new Set(['GET']));
  });

  it('waits for every write, and keeps bodies far below what Qdrant takes', async () => {
    const index = await open();
    const tags = ['x'.repeat(100_000)];
    await index.upsert(Array.from({ length: 300 }, (_, number) => point(number, { payload: { tags } })));
    await index.remove([{ id: memoryId(1), version: 2 }]);
    const writes = server.asked.filter(({ method }) => method !== 'GET');
    expect(writes.length).to.be.greaterThan(4);
    for (const { path, body } of writes) {
      expect(path).to.contain('wait=true');
      expect(Buffer.byteLength(body)).to.be.lessThan(20_000_000);
    }
  });

  it('asks the graph with care, and once more without it when it found fewer than wanted', async () => {
    await search(await open({ QDRANT_HNSW_EF: '256' }));
    const queries = server.asked
      .filter(({ path }) => path.endsWith('/points/query'))
      .map(({ body }) => (JSON.parse(body) as { params: object }).params);
    expect(queries).to.deep.equal([{ hnsw_ef: 256 }, { exact: true }]);
  });

  it('calls a server that is not there a dependency, and a write that never reached it not done', async () => {
    const index = await open();
    await server.close();
    await rejection(index.ping()); // it finds the connection closed; from now on a new one is refused
    const calls = [
      () => search(index),
      () => index.ping(),
      () => index.count({ excludedTypes: [] }),
      () => index.versions([memoryId(1)]),
      () => index.upsert([point(1)]),
      open,
    ];
    for (const call of calls) {
      const error = await rejection(call());
      expect(error).to.be.instanceOf(DependencyError).and.include({ dependency: 'vectors', outcomeUnknown: false });
      expect(error.message).to.contain('ECONNREFUSED').and.contain('QDRANT_URL');
    }
  });

  it('gives up on a server that accepts and never answers; a write may then have happened', async () => {
    const index = await open({ QDRANT_TIMEOUT_SECONDS: '0.1' });
    answer = () => ({ isSilent: true });
    expect(await rejection(search(index)))
      .to.be.instanceOf(DependencyError)
      .and.include({ outcomeUnknown: false });
    const error = await rejection(index.upsert([point(1)]));
    expect(error).to.be.instanceOf(DependencyError).and.include({ outcomeUnknown: true });
    expect(error.message).to.contain('QDRANT_TIMEOUT_SECONDS');
  });

  it('calls a refused write poison and names the memory, but not when the collection is another now', async () => {
    const index = await open();
    answer = failing('/points/batch', refusal(400, 'Wrong input: too odd'));
    const error = await rejection(index.upsert([point(7)]));
    expect(error).to.be.instanceOf(PoisonError);
    expect(error.message).to.contain(memoryId(7)).and.contain('too odd');
    answer = failing('/points/batch', refusal(400, 'Wrong input: Vector dimension error: expected dim: 4, got 3'));
    expect(await rejection(index.upsert([point(7)]))).to.be.instanceOf(DependencyError);
  });

  it('takes what comes later for passing: a failure, a crowd, a lost collection, a key that was changed', async () => {
    const index = await open();
    for (const status of [500, 503, 429, 404, 401, 403]) {
      answer = failing('/points', refusal(status, 'no'));
      expect(await rejection(search(index)), String(status)).to.be.instanceOf(DependencyError);
      expect(await rejection(index.upsert([point(1)])), String(status)).to.be.instanceOf(DependencyError);
    }
  });

  it('stops the start for a wrong key, and for a server too old to guard writes', async () => {
    answer = () => refusal(401, 'Must provide an API key');
    const refused = await rejection(open());
    expect(refused).to.be.instanceOf(ConfigurationError);
    expect(refused.message).to.contain('QDRANT_API_KEY');
    answer = ({ path }) => (path === '/' ? { body: { title: 'qdrant', version: '1.15.5' } } : null);
    const tooOld = await rejection(open());
    expect(tooOld).to.be.instanceOf(ConfigurationError);
    expect(tooOld.message).to.contain('1.15.5').and.contain('1.16');
  });
});
