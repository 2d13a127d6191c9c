/**
 * An upgrade to a release that no longer has the model of the stored vectors: the processes start, recall answers by
 * words, and the index moves to the present model without a request.
 */
import { expect } from 'chai';
import { BUNDLED_MODEL } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/checks/until.js';
import { type Fleet, migrate, startFleet, type TestDeployment } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { dropCollections, openQdrantIndex } from '../../support/servers/qdrant.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';

const RETIRED = { model: 'bundled/use-lite-en/512/w1', dimension: 512, target: null };
const FERRY = 'The ferry to Bergen leaves at noon';
const ADMIN = { headers: { 'X-Admin-Token': 'admin-token' } };

describe('vectors of a retired model', () => {
  let fleet: Fleet;
  let remove: () => Promise<void>;

  before(async () => {
    const opened = await openTestDeployment();
    remove = opened.remove;
    await beginRetiredSpace(opened.deployment);
    await migrate(opened.deployment);
    const variables = { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER, ADMIN_API_TOKEN: 'admin-token' };
    fleet = await startFleet(opened.deployment, { each: 1, variables: { ...variables, ALLOW_ANONYMOUS: 'true' } });
  });
  after(async () => {
    await fleet?.close();
    await remove?.();
  });

  async function recall(query: string) {
    const { status, body } = await fleet.request('GET', `/recall?${new URLSearchParams({ query, limit: '1' })}`);
    expect(status).to.equal(200);
    return body;
  }

  it('are replaced by themselves, and recall answers meanwhile', async () => {
    const stored = await fleet.request('POST', '/memory', { body: { content: FERRY } });
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201);
    expect((await recall('ferry Bergen')).results[0]?.memory.content).to.equal(FERRY);
    const [job] = await until('the rebuild has ended', async () => {
      const { body } = await fleet.request('GET', '/admin/jobs', ADMIN);
      return body.jobs?.[0]?.finished_at && body.jobs;
    });
    expect(job).to.deep.include({ kind: 'rebuild-vectors', state: 'done', error: null });
    expect(job.progress.model).to.equal(BUNDLED_MODEL);
    await fleet.settled();
    const body = await until('recall searches by meaning', async () => {
      const answer = await recall('which boat departs at midday');
      return answer.degraded === undefined && answer;
    });
    expect(body.results[0]?.memory.content).to.equal(FERRY);
  });
});

/** As a process of the former release has left it. */
async function beginRetiredSpace({ variables }: TestDeployment): Promise<void> {
  const postgres = createPostgres({ config: postgresConfig(variables), logger: silentLogger });
  try {
    await dropCollections(qdrantConfig(variables));
    await openQdrantIndex(qdrantConfig(variables), RETIRED.dimension);
    await postgresRecords(postgres).spaces.begin(RETIRED);
  } finally {
    await postgres.close();
  }
}
