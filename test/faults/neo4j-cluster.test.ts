/**
 * The service on a Neo4j cluster whose follower lags, is lost, or becomes the leader. The query API reads at the
 * follower where it can. After each fault, each acknowledged command is in all stores.
 */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../shared/contract/commands.js';
import { until } from '../support/checks/until.js';
import { openRealCluster } from '../support/cluster/real-cluster.js';
import type { TestCluster } from '../support/cluster/test-cluster.js';
import { type Fleet, logTail, startFleet } from '../support/processes/fleet.js';
import { openTestDeployment } from '../support/processes/test-deployment.js';
import { createLedgers, type FaultSetup, survivesFault } from './distributed/fault-checks.js';
import { QUERY_VARIABLES, WITHOUT_ENRICHER } from './distributed/fleet-variables.js';

const SLOW_MS = 600_000;
/** Two servers share the machine. A call that waits for a plan must not look like a fault. */
const VARIABLES = { NEO4J_TRANSACTION_TIMEOUT_MS: '20000' };
/** How far the follower is behind the leader while nothing is wrong. */
const LAG_MS = 5;

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('service on a Neo4j cluster', function () {
    this.timeout(SLOW_MS);
    const ledgers = createLedgers();
    let cluster: TestCluster;
    let fleet: Fleet;
    let remove: () => Promise<void>;
    const stage = (): FaultSetup => ({ fleet, ledgers });

    before(async () => {
      cluster = await openRealCluster();
      cluster.follow(LAG_MS);
      const opened = await openTestDeployment({ neo4jUrl: cluster.url });
      remove = opened.remove;
      fleet = await startFleet(opened.deployment, {
        variables: { ...VARIABLES, ...WITHOUT_ENRICHER },
        queryVariables: QUERY_VARIABLES,
      });
      // Neo4j plans each statement at its first use, in each of the two servers.
      await until('recall answers', async () => (await get('/recall?query=ready')).status === 200, SLOW_MS);
      await survivesFault(stage(), async () => undefined, { isRecallPromised: false });
    });
    after(async () => {
      await fleet?.close();
      await remove?.();
      await cluster?.close();
    });
    afterEach(function () {
      cluster.follow(LAG_MS);
      if (this.currentTest?.state === 'failed') console.error(logTail(fleet));
    });

    const get = (path: string) => fleet.request('GET', path);
    async function store(content: string) {
      const { status, headers, body } = await fleet.request('POST', '/memory', { body: { content, tags: ['lag'] } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return { id: String(body.memory_id), receipt: headers.get(RECEIPT_HEADER) ?? '' };
    }
    const idsOf = (results: readonly { readonly id: string }[]) => results.map(({ id }) => id);

    it('answers reads from the follower', async () => {
      const { id } = await store('Read at the follower');
      await cluster.catchUp();
      const before = cluster.follower().statements();
      expect((await get(`/memory/${id}`)).status).to.equal(200);
      expect(cluster.follower().statements()).to.be.greaterThan(before);
    });

    it('shows a caller its own writes, while the follower lags', async () => {
      const earlier = await store('Stored before the lag');
      await cluster.catchUp();
      cluster.follow(null);
      const { id, receipt } = await store('Zanzibar is an island');
      expect((await get(`/memory/${id}`)).status).to.equal(200);
      const recall = await get(`/recall?query=zanzibar&consistent_with=${receipt}`);
      expect(idsOf(recall.body.results)).to.include(id);
      expect(recall.body.consistency).to.include({ graph: true, index: true });
      const listed = await get(`/memory/by-tag?tags=lag&consistent_with=${receipt}`);
      expect(idsOf(listed.body.memories)).to.include.members([id, earlier.id]);
      expect((await fleet.request('DELETE', `/memory/${earlier.id}`)).status).to.equal(200);
      expect((await get(`/memory/${earlier.id}`)).status).to.equal(404);
      expect(idsOf((await get('/recall?query=stored+before+the+lag')).body.results)).not.to.include(earlier.id);
      expect(cluster.lag(), 'transactions that the follower lacks').to.be.greaterThan(1);
      expect((await get('/health')).body.problems).to.deep.equal([]);
    });

    it('loses nothing while the leader is exchanged twice', async () => {
      await survivesFault(stage(), async () => {
        await cluster.exchangeLeader();
        await cluster.catchUp();
        await cluster.exchangeLeader();
      });
    });

    it('loses nothing when a commit has no answer', async () => {
      await survivesFault(stage(), async () => cluster.leader().dropNextCommit());
    });

    it('loses nothing while the follower refuses or hangs', async () => {
      for (const fail of [() => cluster.follower().refuse(), () => cluster.follower().hold()])
        await survivesFault(stage(), async () => {
          await fail();
          for (const _ of [1, 2, 3]) expect((await get('/recall?query=ledger')).status).to.equal(200);
          await cluster.follower().close();
          await cluster.follower().accept();
        });
    });
  });
