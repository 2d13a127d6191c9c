/**
 * Faults of one part of the distributed service: the network of one process, the disk of Postgres, and a Qdrant that
 * hangs. The fleet has a Postgres of its own, whose disk the tests control.
 */
import { until } from '../../support/checks/until.js';
import { skipWithoutFaultyDisk } from '../../support/faults/disk/faulty-disk.js';
import { type Fleet, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { type FaultyPostgres, openFaultyPostgres } from '../../support/servers/faulty-postgres.js';
import { createLedgers, type FaultSetup } from './fault-checks.js';
import { WITHOUT_ENRICHER } from './fleet-variables.js';
import { hangingQdrant } from './hanging-qdrant.js';
import { networkCuts } from './network-cuts.js';
import { expectPipelineWorks, probe } from './pipeline-checks.js';
import { postgresDisk } from './postgres-disk.js';

/**
 * Few, so that a memory stored during a fault is indexed soon: a closed loop of writers keeps the indexer behind on a
 * small machine.
 */
const WRITERS = 2;
/** The lease and the session that other processes wait for when the network of one is cut. */
const VARIABLES = { ...WITHOUT_ENRICHER, RELAY_LEASE_MS: '5000', KAFKA_SESSION_TIMEOUT_MS: '6000' };

describe('distributed', () => {
  const ledgers = createLedgers().slice(0, WRITERS);
  let postgres: FaultyPostgres;
  let fleet: Fleet;
  let remove: () => Promise<void>;
  const stage = (): FaultSetup => ({ fleet, ledgers });

  before(async function () {
    this.timeout(180_000);
    await skipWithoutFaultyDisk(this);
    postgres = await openFaultyPostgres();
    const opened = await openTestDeployment({ postgresUrl: postgres.url });
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, { variables: VARIABLES });
    await expectPipelineWorks(stage());
    await until('recall by words is planned', async () => (await probe(fleet, '/recall?query=ledger+entry')) === 200);
  });
  after(async function () {
    await fleet?.close();
    await remove?.();
    await postgres?.remove();
  });

  describe('disk of Postgres', () => postgresDisk(() => ({ ...stage(), postgres })));
  describe('hanging Qdrant', () => hangingQdrant(stage));
  // Last, because these tests replace members of the fleet.
  describe('network', () => networkCuts(stage));
});
