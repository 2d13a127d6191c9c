/**
 * The distributed service broken on purpose, as child processes on real servers: two of each kind, under load from writers that keep
 * books. After each fault, without a restart of anything of ours, everything acknowledged is in graph, journal, Kafka and Qdrant.
 */
import { expect } from 'chai';
import { everyMemoryIsThere, memoriesAreRecalled } from '../../support/books.js';
import { startFleet, type Fleet } from '../../support/fleet.js';
import { openGround } from '../../support/ground.js';
import { commitSteps } from './commit-steps.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';
import { kafkaFaults } from './kafka.js';
import { processFaults } from './processes.js';
import { races } from './races.js';
import { repeats } from './repeats.js';
import { serverFaults } from './servers.js';
import { everythingHolds, openBooks, type Stage } from './stage.js';
import { wholeFleetFaults } from './whole-fleet.js';

const RECALLED = 160;

describe('the distributed service, broken on purpose', () => {
  const ledgers = openBooks();
  let fleet: Fleet;
  let remove: () => Promise<void>;
  const stage = (): Stage => ({ fleet, ledgers });

  before(async function () {
    this.timeout(180_000);
    const opened = await openGround();
    remove = opened.remove;
    fleet = await startFleet(opened.ground, { each: 2, variables: FLEET_VARIABLES });
  });
  after(async function () {
    this.timeout(60_000);
    await fleet?.close();
    await remove?.();
  });

  describe('processes', () => processFaults(stage));
  describe('the whole fleet killed', () => wholeFleetFaults(stage));

  // About commits and their way to the stores: enrichment would only lengthen it, for it doubles the events.
  describe('without enrichers', () => {
    before(async function () {
      this.timeout(60_000);
      await Promise.all(fleet.members('projectors').map((member) => member.stop('SIGTERM')));
      await Promise.all([1, 2].map(() => fleet.add('projectors', { variables: WITHOUT_ENRICHER })));
    });

    describe('a command API killed at each step of the commit', () => commitSteps(stage));
    describe('servers', () => serverFaults(stage));
    describe('requests', () => repeats(stage));
    describe('races', () => races(stage));
    describe('the books', () => agreesWithEveryBook(stage));
    // Last, because the topic does not hold everything afterwards.
    describe('Kafka', () => kafkaFaults(stage));
  });
});

function agreesWithEveryBook(stage: () => Stage): void {
  it('has every memory of the books, by its id and its revision', async function () {
    this.timeout(300_000);
    await everythingHolds(stage());
    const { fleet, ledgers } = stage();
    await Promise.all(ledgers.map((ledger) => everyMemoryIsThere(fleet, ledger)));
    expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0)).to.be.greaterThan(1_000);
  });

  // Each of them stands in graph, journal and index as examined; a recall costs more than all of its other checks.
  it(`recalls by its word each of at least ${RECALLED} memories, spread evenly over the books`, async function () {
    this.timeout(300_000);
    const { fleet, ledgers } = stage();
    const recalled = await Promise.all(
      ledgers.map((ledger) => memoriesAreRecalled(fleet, ledger, Math.ceil(RECALLED / ledgers.length))),
    );
    expect(recalled.reduce((sum, count) => sum + count, 0)).to.be.at.least(RECALLED);
  });
}
