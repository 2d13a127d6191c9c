/**
 * Faults in the distributed service: child processes on real servers, two of each kind, under load from writers with
 * ledgers. After each fault, without a restart of our processes, each acknowledged command is in the graph, the
 * journal, Kafka and Qdrant.
 */
import { expect } from 'chai';
import { expectMemoriesMatchLedger, expectMemoriesRecalled } from '../../support/checks/ledger-assertions.js';
import { until } from '../../support/checks/until.js';
import { type Fleet, logTail, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { commitSteps } from './commit-steps.js';
import { associateDeleteRaces } from './delete-races.js';
import { createLedgers, expectConsistentStores, type FaultSetup, survivesFault } from './fault-checks.js';
import { FLEET_VARIABLES, QUERY_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';
import { kafkaDiskFaults, kafkaTailLoss } from './kafka-disk-faults.js';
import { kafkaFaults } from './kafka-faults.js';
import { processFaults, wholeFleetFaults } from './process-faults.js';
import { repeatedRequests } from './repeated-requests.js';
import { ADMIN_TOKEN, revokedKeys } from './revoked-keys.js';
import { serverFaults } from './server-faults.js';

const RECALL_COUNT = 160;

describe('distributed', () => {
  const ledgers = createLedgers();
  let fleet: Fleet;
  let remove: () => Promise<void>;
  const stage = (): FaultSetup => ({ fleet, ledgers });

  before(async function () {
    this.timeout(300_000);
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, {
      each: 2,
      variables: { ...FLEET_VARIABLES, ADMIN_API_TOKEN: ADMIN_TOKEN },
      queryVariables: QUERY_VARIABLES,
    });
    const recalls = async () => (await fleet.request('GET', '/recall?query=ready')).status === 200;
    await until('recall answers', recalls, 90_000);
  });
  after(async function () {
    await fleet?.close();
    await remove?.();
  });

  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(logTail(fleet));
  });

  // Neo4j plans each statement at its first use. No fault is to blame for that time.
  it('loses nothing without a fault', async function () {
    this.timeout(300_000);
    await survivesFault(stage(), async () => undefined, { isRecallPromised: false });
  });

  describe('keys', () => revokedKeys(stage));
  describe('processes', () => processFaults(stage));
  describe('killed service', () => wholeFleetFaults(stage));

  // These tests are about commits and their projections. Enrichment would double the number of events.
  describe('no enricher', () => {
    before(async function () {
      await Promise.all(fleet.members('projectors').map((member) => member.stop('SIGTERM')));
      await Promise.all([1, 2].map(() => fleet.add('projectors', { variables: WITHOUT_ENRICHER })));
    });

    describe('commit', () => commitSteps(stage));
    describe('service', () => serverFaults(stage));
    describe('requests', () => repeatedRequests(stage));
    describe('races', () => associateDeleteRaces(stage));
    describe('ledgers', () => ledgersMatch(stage));
    describe('Kafka disk', () => kafkaDiskFaults(stage));
    // Last, because afterwards the topic does not hold all events.
    describe('Kafka', () => kafkaFaults(stage));
    describe('Kafka tail', () => kafkaTailLoss(stage));
  });
});

function ledgersMatch(stage: () => FaultSetup): void {
  it('match the service in each memory id and revision', async function () {
    this.timeout(300_000);
    await expectConsistentStores(stage());
    const { fleet, ledgers } = stage();
    await Promise.all(ledgers.map((ledger) => expectMemoriesMatchLedger(fleet, ledger)));
    expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0)).to.be.greaterThan(1_000);
  });

  // Other checks compare all memories with graph, journal and index. A recall costs more than all of them, so this is a
  // sample.
  it(`find ${RECALL_COUNT} sampled memories by their unique words`, async function () {
    this.timeout(300_000);
    const { fleet, ledgers } = stage();
    const recalled = await Promise.all(
      ledgers.map((ledger) => expectMemoriesRecalled(fleet, ledger, Math.ceil(RECALL_COUNT / ledgers.length))),
    );
    expect(recalled.reduce((sum, count) => sum + count, 0)).to.be.at.least(RECALL_COUNT);
  });
}
