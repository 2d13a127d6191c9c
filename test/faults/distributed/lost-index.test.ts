/** A Qdrant collection that is dropped under load: the service goes on, says so, and gives new memories their vectors. */
import { expect } from 'chai';
import { createQdrantClient } from '../../../shared/vectors/qdrant/qdrant-client.js';
import { qdrantConfig } from '../../../shared/vectors/qdrant/qdrant-variables.js';
import { createLedger } from '../../support/checks/ledger.js';
import { expectListingMatchesLedger } from '../../support/checks/ledger-assertions.js';
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { type Fleet, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { dropCollections } from '../../support/servers/qdrant.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';
import { startLoad } from './load.js';

const COMMANDS = 100;
const LATE = 'A lighthouse keeper who counts migrating cranes';

describe('dropped Qdrant collection', () => {
  let fleet: Fleet;
  let remove: () => Promise<void>;

  before(async function () {
    this.timeout(180_000);
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, { each: 1, variables: { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER } });
  });
  after(async function () {
    this.timeout(60_000);
    await fleet?.close();
    await remove?.();
  });

  async function health() {
    const { status, body } = await fleet.request('GET', '/health');
    expect(status).to.equal(200);
    return body;
  }

  it('stops no request, is reported, and returns for new memories', async function () {
    this.timeout(240_000);
    const config = qdrantConfig(fleet.deployment.variables);
    const ledgers = [1, 2, 3, 4].map((number) => createLedger(`lost${number}`, seededRandom(number)));
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
    const reached = (count: number) =>
      until(`${count} commands are acknowledged`, () => load.acknowledged() >= count, 120_000);
    await reached(COMMANDS);
    await until(
      'half of the memories have vectors',
      async () => {
        const { vector_count: vectors, memory_count: memories } = await health();
        return vectors > 0 && vectors >= memories / 2;
      },
      60_000,
    );

    await dropCollections(config);
    await until(
      'health reports the lost vectors under load',
      async () => (await health()).status === 'degraded',
      20_000,
    );
    const atDrop = load.acknowledged();
    await reached(atDrop + COMMANDS);
    const { body } = await fleet.request('POST', '/memory', { body: { content: LATE } });
    const counts = await load.stop();
    expect(refused, 'recalls without a 200').to.deep.equal([]);
    expect(counts.recalls).to.be.greaterThan(0);
    expect(counts.unavailable, 'refused commands').to.equal(0);

    await fleet.settled();
    await Promise.all(ledgers.map((ledger) => expectListingMatchesLedger(fleet, ledger)));
    const [found] = await createQdrantClient(config).retrieve(config.collection, { ids: [body.memory_id] });
    expect(found?.id).to.equal(body.memory_id);
    const after = await health();
    expect(after).to.include({ qdrant: 'connected', status: 'degraded', sync_status: 'drift_detected' });
    expect(after.vector_count).to.be.within(1, after.memory_count - 1);
  });
});
