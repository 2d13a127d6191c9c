/** The requests to Qdrant, recorded by a server, and the handling of failed replies. */
import { QdrantClientResourceExhaustedError } from '@qdrant/js-client-rest';
import { expect } from 'chai';
import {
  openQdrantVectorIndex,
  type QdrantVectorIndex,
} from '../../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { rethrowReadError } from '../../../../shared/engines/qdrant/qdrant-errors.js';
import { qdrantConfig } from '../../../../shared/engines/qdrant/qdrant-variables.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';
import { DependencyError, PoisonError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { rejection } from '../../../support/checks/rejection.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { filter, point } from '../../../support/fixtures/points.js';
import {
  errorReply,
  type QdrantReply,
  type QdrantRequest,
  type QdrantStandIn,
  startQdrantStandIn,
} from '../../../support/servers/qdrant-stand-in.js';

describe('Qdrant requests', () => {
  let server: QdrantStandIn;
  let answer: (asked: QdrantRequest) => QdrantReply | null;
  beforeEach(async () => {
    answer = () => null;
    server = await startQdrantStandIn((asked) => answer(asked));
  });
  afterEach(() => server.close());

  const open = (environment: Record<string, string> = {}): Promise<QdrantVectorIndex> =>
    openQdrantVectorIndex({
      config: qdrantConfig({ QDRANT_URL: server.url, QDRANT_TIMEOUT_SECONDS: '5', ...environment }),
      dimension: 3,
      number: 1,
      logger: silentLogger,
    });
  const failing = (part: string, failure: QdrantReply) => (asked: QdrantRequest) =>
    asked.path.includes(part) ? failure : null;
  const search = (index: QdrantVectorIndex) =>
    index.search({ vector: Float32Array.of(1, 0, 0), limit: 5, filter: filter() });

  it('batch concurrent searches, and repeat small results exactly', async () => {
    const index = await open();
    const before = server.requests.length;
    await Promise.all([search(index), search(index), search(index)]);
    await search(index);
    expect(server.requests.slice(before).map(({ path }) => path.split('?')[0]?.split('/points')[1])).to.deep.equal([
      '/query/batch',
      '/query/batch',
      '/query',
      '/query',
    ]);
    const { searches } = JSON.parse(server.requests[before]?.body ?? '') as { readonly searches: readonly unknown[] };
    expect(searches).to.have.length(3);
  });

  it('ask the server to stop a search after the timeout of the client', async () => {
    const index = await open({ QDRANT_TIMEOUT_SECONDS: '3.5' });
    const before = server.requests.length;
    await Promise.all([search(index), search(index)]);
    await search(index);
    const timeouts = server.requests.slice(before).map(({ path }) => /[?&]timeout=(\d+)/u.exec(path)?.[1]);
    expect(timeouts.length).to.be.above(1);
    expect(new Set(timeouts)).to.deep.equal(new Set(['4']));
  });

  it('accept no compression and carry the API key', async () => {
    const index = await open({ QDRANT_API_KEY: 'secret-key' });
    await index.upsert([point(1)]);
    await index.remove([{ id: memoryId(1), version: 2 }]);
    await search(index);
    await index.versions([memoryId(1)]);
    await index.count({ excludedTypes: [] });
    await index.ping();
    expect(server.requests.length).to.be.greaterThan(7);
    for (const { headers } of server.requests)
      expect(headers).to.include({ 'accept-encoding': 'identity', 'api-key': 'secret-key' });
  });

  it('only read when the collection is complete', async () => {
    await open();
    expect(new Set(server.requests.map(({ method }) => method))).to.deep.equal(new Set(['GET']));
  });

  it('wait for every write, with bodies far below the limit of Qdrant', async () => {
    const index = await open();
    const tags = ['x'.repeat(100_000)];
    await index.upsert(Array.from({ length: 300 }, (_, number) => point(number, { payload: { tags } })));
    await index.remove([{ id: memoryId(1), version: 2 }]);
    const writes = server.requests.filter(({ method }) => method !== 'GET');
    expect(writes.length).to.be.greaterThan(4);
    for (const { path, body } of writes) {
      expect(path).to.contain('wait=true');
      expect(Buffer.byteLength(body)).to.be.lessThan(20_000_000);
    }
  });

  it('use the configured ef, then search exactly when hits are missing', async () => {
    await search(await open({ QDRANT_HNSW_EF: '256' }));
    const queries = server.requests
      .filter(({ path }) => path.split('?')[0]?.endsWith('/points/query'))
      .map(({ body }) => (JSON.parse(body) as { params: object }).params);
    expect(queries).to.deep.equal([{ hnsw_ef: 256 }, { exact: true }]);
  });

  it('fail as a dependency without a server, writes with a known outcome', async () => {
    const index = await open();
    await server.close();
    const lost = await rejection(index.ping()); // this request finds the connection closed; later ones are refused
    expect(lost.message).to.contain('connection to Qdrant was lost').and.not.contain('QDRANT_URL');
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

  it('ask for another address only when the server cannot be reached', () => {
    const failed = (cause: object) => new TypeError('fetch failed', { cause: Object.assign(new Error('why'), cause) });
    const messageOf = (error: unknown) => {
      try {
        return rethrowReadError(error);
      } catch (translated) {
        return (translated as Error).message;
      }
    };
    expect(messageOf(failed({ code: 'ENOTFOUND' }))).to.equal(
      'Qdrant cannot be reached: start it, or set QDRANT_URL (ENOTFOUND)',
    );
    expect(messageOf(failed({ code: 'UND_ERR_INVALID_ARG' }))).to.equal(
      'A request to Qdrant failed: why (UND_ERR_INVALID_ARG)',
    );
    expect(messageOf(failed({ code: 'CERT_HAS_EXPIRED' }))).to.contain('its certificate');
    expect(messageOf(new QdrantClientResourceExhaustedError('slow down', '7'))).to.contain('limits the rate');
    expect(messageOf(new SyntaxError('Unexpected token <'))).to.equal('A request to Qdrant failed: Unexpected token <');
  });

  it('end at a timeout without a reply, writes with an unknown outcome', async () => {
    const index = await open({ QDRANT_TIMEOUT_SECONDS: '0.1' });
    answer = () => ({ isSilent: true });
    expect(await rejection(search(index)))
      .to.be.instanceOf(DependencyError)
      .and.include({ outcomeUnknown: false });
    const error = await rejection(index.upsert([point(1)]));
    expect(error).to.be.instanceOf(DependencyError).and.include({ outcomeUnknown: true });
    expect(error.message).to.contain('QDRANT_TIMEOUT_SECONDS');
  });

  it('fail as poison for a rejected write, except in another collection', async () => {
    const index = await open();
    answer = failing('/points/batch', errorReply(400, 'Wrong input: too odd'));
    const error = await rejection(index.upsert([point(7)]));
    expect(error).to.be.instanceOf(PoisonError);
    expect(error.message).to.contain(memoryId(7)).and.contain('with status 400: see the log');
    // A record of the error outlives the memory, whose values Qdrant may quote.
    expect(error.message).not.to.contain('too odd');
    answer = failing('/points/batch', errorReply(400, 'Wrong input: Vector dimension error: expected dim: 4, got 3'));
    expect(await rejection(index.upsert([point(7)]))).to.be.instanceOf(DependencyError);
  });

  it('are retryable after a failure, overload, lost collection or new key', async () => {
    const index = await open();
    for (const status of [500, 503, 429, 404, 401, 403]) {
      answer = failing('/points', errorReply(status, 'no'));
      expect(await rejection(search(index)), String(status)).to.be.instanceOf(DependencyError);
      expect(await rejection(index.upsert([point(1)])), String(status)).to.be.instanceOf(DependencyError);
    }
  });

  it('stop the start for a wrong key or a server too old to guard writes', async () => {
    answer = () => errorReply(401, 'Must provide an API key');
    const refused = await rejection(open());
    expect(refused).to.be.instanceOf(ConfigurationError);
    expect(refused.message).to.contain('QDRANT_API_KEY');
    answer = ({ path }) => (path === '/' ? { body: { title: 'qdrant', version: '1.15.5' } } : null);
    const tooOld = await rejection(open());
    expect(tooOld).to.be.instanceOf(ConfigurationError);
    expect(tooOld.message).to.contain('1.15.5').and.contain('1.16');
  });
});
