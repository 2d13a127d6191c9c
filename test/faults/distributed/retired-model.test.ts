/**
 * An upgrade to a release that no longer has the model of the stored vectors: the processes start, recall answers by
 * words, and the index moves to the present model without a request.
 */
import { expect } from 'chai';
import { BUNDLED_DIMENSION, BUNDLED_MODEL } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import type { QdrantVectorIndex } from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { embeddingRef } from '../../../shared/ports/embedder.js';
import { pointPayload } from '../../../shared/ports/point-payload.js';
import { until } from '../../support/checks/until.js';
import { memory } from '../../support/fixtures/events.js';
import { type Fleet, migrate, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { dropCollections, openQdrantIndex } from '../../support/servers/qdrant.js';
import { FLEET_VARIABLES, QUERY_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';

const RETIRED = { model: 'bundled/use-lite-en/512/w1', dimension: 512, target: null };
const FERRY = 'The ferry to Bergen leaves at noon';
/** Further memories, so that the order of hits matters. */
const OTHERS = ['Marianne likes strawberry cake', 'Postgres runs on a machine in Frankfurt'];
const ADMIN = { headers: { 'X-Admin-Token': 'admin-token' } };

describe('vectors of a retired model', () => {
  let fleet: Fleet;
  let postgres: Postgres;
  let vectors: QdrantVectorIndex;
  let remove: () => Promise<void>;

  /** The first processes have no vector indexer, so nothing replaces the vectors. */
  before(async () => {
    const { deployment, ...opened } = await openTestDeployment();
    remove = opened.remove;
    postgres = createPostgres({ config: postgresConfig(deployment.variables), logger: silentLogger });
    await dropCollections(qdrantConfig(deployment.variables));
    vectors = await openQdrantIndex(qdrantConfig(deployment.variables), RETIRED.dimension);
    await postgresRecords(postgres).spaces.begin(RETIRED);
    await migrate(deployment);
    fleet = await startFleet(deployment, {
      each: 1,
      variables: {
        ...FLEET_VARIABLES,
        PROJECTORS: 'access-recorder',
        ADMIN_API_TOKEN: 'admin-token',
        ALLOW_ANONYMOUS: 'true',
      },
      queryVariables: QUERY_VARIABLES,
    });
    for (const [index, content] of [FERRY, ...OTHERS].entries()) await storeAsFormerly(content, index);
  });
  after(async () => {
    await fleet?.close();
    await postgres?.close();
    await remove?.();
  });

  /** With the point and the cached vector that a process of the former release made. */
  async function storeAsFormerly(content: string, index: number): Promise<void> {
    const stored = await fleet.request('POST', '/memory', { body: { content } });
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201);
    const former = memory(index, { id: stored.body.memory_id, content });
    const vector = new Float32Array(RETIRED.dimension).fill(0.1);
    const { model } = RETIRED;
    await postgresRecords(postgres).cache.put([{ ref: embeddingRef(model, content), memoryId: former.id, vector }]);
    await vectors.upsert([{ id: former.id, version: 1, vector, model, payload: pointPayload(former) }]);
  }

  async function recall(query: string) {
    const { status, body } = await fleet.request('GET', `/recall?${new URLSearchParams({ query, limit: '1' })}`);
    expect(status).to.equal(200);
    return body;
  }

  async function health() {
    return (await fleet.request('GET', '/health')).body;
  }

  it('serve no query: recall answers by words and says why', async () => {
    const body = await recall('ferry Bergen');
    expect(body.results[0]).to.deep.include({ match_type: 'keyword' });
    expect(body.results[0].memory.content).to.equal(FERRY);
    expect(body.degraded).to.have.length(1);
    expect(body.degraded[0].reason).to.contain(RETIRED.model).and.contain('wait for the end of its rebuild');
    expect(await health()).to.include({ memory_count: 3, vector_count: 3 });
  });

  it('are replaced without a request when a vector indexer starts', async () => {
    await fleet.add('projectors', { variables: WITHOUT_ENRICHER });
    const [job] = await until('the rebuild has ended', async () => {
      const { body } = await fleet.request('GET', '/admin/jobs', ADMIN);
      return body.jobs?.[0]?.finished_at && body.jobs;
    });
    expect(job).to.deep.include({ kind: 'rebuild-vectors', state: 'done', error: null });
    expect(job.progress).to.deep.include({ model: BUNDLED_MODEL, filled: 3, failed: 0 });
    await fleet.settled();
    const body = await until('recall searches by meaning', async () => {
      const answer = await recall('which boat departs at midday');
      return answer.degraded === undefined && answer;
    });
    expect(body.results[0]?.memory.content).to.equal(FERRY);
    expect(body.results[0].match_type).to.equal('semantic');
    expect((await health()).vector_dimensions).to.include({ collection: BUNDLED_DIMENSION, mismatch: false });
    expect(await health()).to.include({ memory_count: 3, vector_count: 3 });
  });
});
