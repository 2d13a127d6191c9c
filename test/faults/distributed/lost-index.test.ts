/**
 * A Qdrant collection that is dropped, or put back to an earlier state, under load: the service goes on, says so, and
 * gives new memories their vectors. `POST /admin/sync` brings the index to the state of the graph meanwhile.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { expect } from 'chai';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { differencesOfFleet } from '../../support/checks/compare-deployment.js';
import { createLedger } from '../../support/checks/ledger.js';
import { expectListingMatchesLedger } from '../../support/checks/ledger-assertions.js';
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { type Fleet, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { dropCollections } from '../../support/servers/qdrant.js';
import { WITHOUT_ENRICHER } from './fleet-variables.js';
import { type Load, startLoad } from './load.js';

const COMMANDS = 60;
const LATE = 'A lighthouse keeper who counts migrating cranes';
const ADMIN = 'admin-token';
const MOST_POINTS = 10_000;

describe('lost Qdrant collection', function () {
  this.timeout(240_000);
  const ledgers = [1, 2, 3, 4].map((number) => createLedger(`lost${number}`, seededRandom(number)));
  let fleet: Fleet;
  let remove: () => Promise<void>;
  let client: QdrantClient;
  let collection: string;

  before(async function () {
    this.timeout(180_000);
    const opened = await openTestDeployment();
    remove = opened.remove;
    // No process is killed here, so the limits of the service stay as they are.
    const variables = { ...WITHOUT_ENRICHER, ADMIN_API_TOKEN: ADMIN, ALLOW_ANONYMOUS: 'true' };
    fleet = await startFleet(opened.deployment, { each: 1, variables });
    const config = qdrantConfig(opened.deployment.variables);
    [client, collection] = [createQdrantClient(config), config.collection];
  });
  after(async function () {
    await fleet?.close();
    await remove?.();
  });

  async function health() {
    const { status, body } = await fleet.request('GET', '/health');
    expect(status).to.equal(200);
    return body;
  }

  /** Writers and a reader. `stop` expects that no recall failed and no command was refused. */
  function startWatchedLoad(): Load {
    const refused: string[] = [];
    const caller: HttpCaller = {
      request: async (method, path, options) => {
        const reply = await fleet.request(method, path, options).catch((error: unknown) => {
          if (path.startsWith('/recall')) refused.push(String(error));
          throw error;
        });
        if (path.startsWith('/recall') && reply.status !== 200)
          refused.push(`${reply.status} ${JSON.stringify(reply.body)}`);
        return reply;
      },
    };
    const load = startLoad(caller, ledgers);
    return {
      ...load,
      stop: async () => {
        const counts = await load.stop();
        expect(refused, 'recalls without a 200').to.deep.equal([]);
        expect(counts.recalls).to.be.greaterThan(0);
        expect([...counts.refusals], `${counts.unavailable} refused commands`).to.deep.equal([]);
        return counts;
      },
    };
  }

  const reached = (load: Load, count: number) =>
    until(`${count} commands are acknowledged`, () => load.acknowledged() >= count, 120_000);

  /** Repairs while the load runs. Then journal, graph and index are equal. */
  async function expectSyncRepairs(load: Load): Promise<void> {
    const before = load.acknowledged();
    const { status, body } = await fleet.request('POST', '/admin/sync', {
      headers: { 'x-admin-token': ADMIN },
      body: {},
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ status: 'complete', failed: 0 });
    await reached(load, before + COMMANDS);
    await load.stop();
    await fleet.settled();
    expect(await differencesOfFleet(fleet.deployment)).to.deep.equal([]);
    await until('health is healthy', async () => (await health()).status === 'healthy');
  }

  it('stops no request, is reported, and returns for new memories', async () => {
    const load = startWatchedLoad();
    await reached(load, COMMANDS);
    await until('half of the memories have vectors', async () => {
      const { vector_count: vectors, memory_count: memories } = await health();
      return vectors > 0 && vectors >= memories / 2;
    });

    await dropCollections(qdrantConfig(fleet.deployment.variables));
    await until('health reports the lost vectors under load', async () => (await health()).status === 'degraded');
    await reached(load, load.acknowledged() + COMMANDS);
    const { body } = await fleet.request('POST', '/memory', { body: { content: LATE } });
    await load.stop();

    await fleet.settled();
    await Promise.all(ledgers.map((ledger) => expectListingMatchesLedger(fleet, ledger)));
    const [found] = await client.retrieve(collection, { ids: [body.memory_id] });
    expect(found?.id).to.equal(body.memory_id);
    const after = await health();
    expect(after).to.include({ qdrant: 'connected', status: 'degraded', sync_status: 'drift_detected' });
    expect(after.vector_count).to.be.within(1, after.memory_count - 1);
    const differences = await differencesOfFleet(fleet.deployment, { settleMs: 0 });
    expect(new Set(differences.map(({ kind }) => kind))).to.deep.equal(new Set(['index lacks']));
    expect(differences).to.have.length(after.memory_count - after.vector_count);
  });

  it('gets its lost vectors back by sync under load', async () => {
    const load = startWatchedLoad();
    await reached(load, COMMANDS / 2);
    await expectSyncRepairs(load);
  });

  it('is brought forward by sync under load after it was put back', async () => {
    const { points: earlier } = await client.scroll(collection, {
      limit: MOST_POINTS,
      with_payload: true,
      with_vector: true,
    });
    const load = startWatchedLoad();
    await reached(load, 2 * COMMANDS);
    await client.delete(collection, { wait: true, filter: {} });
    await client.upsert(collection, {
      wait: true,
      points: earlier.map(({ id, vector, payload }) => ({ id, vector: vector ?? {}, payload: payload ?? {} }) as never),
    });
    await expectSyncRepairs(load);
  });
});
