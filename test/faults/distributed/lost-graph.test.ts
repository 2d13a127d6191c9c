/**
 * A Neo4j that is emptied, or put back to an earlier state, under load. The command API brings it to the state of the
 * journal, also after it was killed in the middle. No read with a receipt says `graph: true` without the memory. Writes
 * resume, and journal, graph and index are equal.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import type { JournalMark } from '../../../shared/contract/envelope.js';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import type { Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphMark } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { mapConcurrently } from '../../../shared/kernel/concurrency/map-concurrently.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { differencesOfFleet } from '../../support/checks/compare-deployment.js';
import { createLedger } from '../../support/checks/ledger.js';
import { expectListingMatchesLedger } from '../../support/checks/ledger-assertions.js';
import { until } from '../../support/checks/until.js';
import { type ReceiptReads, startReceiptReads, type WrittenMemory } from '../../support/clients/receipt-reads.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { processesOf, recordFigures } from '../../support/observability/figure-record.js';
import { type Fleet, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { testNeo4jConfig } from '../../support/servers/neo4j.js';
import { failuresOf } from './fault-checks.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';
import { type Load, sendCommand, startLoad } from './load.js';

const WRITERS = 4;
const COMMANDS = 40;
/** What counts a refused write. */
const REFUSED = 'status="503"';
/** Stored before the graph is emptied, so that its rebuild takes several batches. */
const MEMORIES = 600;
const CLIENTS = 20;
/** Stored after the mark that the graph is put back to. */
const LATE = 100;
/** Supplied, so that the test does not wait for the encoder. */
const VECTOR = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));
const REBUILD_DEADLINE_MS = 60_000;
const POLL_MS = 2;
const EMPTY = 'MATCH (n) DETACH DELETE n';
/**
 * The memories that were changed after a position, each with its version at that position: null for one that was stored
 * later.
 */
const CHANGED_AFTER = `SELECT subject AS id, max(version) FILTER (WHERE position <= $1) AS version FROM journal
  WHERE type LIKE 'memory.%' GROUP BY subject HAVING max(position) > $1`;
/** No transaction commits during a restore: one that overtook it would move a node that it does not put back. */
const LOCK_MARK = 'MATCH (applied:GraphSchema) SET applied.locked = true';
const REMOVE_LATER = 'MATCH (m:Subject) WHERE m.id IN $given.ids DETACH DELETE m';
const PUT_BACK = `UNWIND $given.changed AS one MATCH (m:Memory {id: one.id})
  SET m.version = toInteger(one.version), m.content = 'An earlier content'`;
const PUT_MARK_BACK = `MATCH (applied:GraphSchema) WHERE applied.position > $given.position
  SET applied.position = toInteger($given.position), applied.event_id = $given.eventId`;

describe('lost Neo4j graph', function () {
  this.timeout(240_000);
  const ledgers = Array.from({ length: WRITERS }, (_, index) => createLedger(`graph${index}`, seededRandom(index)));
  let fleet: Fleet;
  let remove: () => Promise<void>;
  let neo4j: Neo4j;

  before(async function () {
    this.timeout(180_000);
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, { each: 1, variables: { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER } });
    neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
  });
  after(async function () {
    await neo4j?.close();
    await fleet?.close();
    await remove?.();
  });

  const figures = recordFigures(() => processesOf(fleet));
  async function storeMany(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const refusals: string[] = [];
    await mapConcurrently(numbers, CLIENTS, async (number) => {
      const content = `Memory ${number} of the lost graph`;
      const memory = { content, tags: ['many'], type: 'Context', embedding: VECTOR };
      const { status, body } = await sendCommand(fleet, { method: 'POST', path: '/memory', body: memory, refusals });
      expect(status, JSON.stringify(body)).to.equal(201);
    });
    if (refusals.length > 0) process.stdout.write(`        refused: ${failuresOf(fleet, 'command-api')}\n`);
  }

  async function storeWritten(tag: string): Promise<WrittenMemory> {
    const memory = { content: `Read back after the graph was ${tag}`, tags: [tag], type: 'Context', embedding: VECTOR };
    const { headers, body } = await fleet.request('POST', '/memory', { body: memory });
    return { id: body.memory_id, tag, receipt: headers.get(RECEIPT_HEADER) ?? '' };
  }

  async function expectReceiptWasKept(reads: ReceiptReads): Promise<void> {
    await until('a read reports the memory', () => reads.withGraph() > 0);
    await reads.stop();
    expect(reads.withoutGraph(), 'replies with graph: false').to.be.greaterThan(0);
  }

  const reached = (load: Load, count: number) =>
    until(`${count} commands are acknowledged`, () => load.acknowledged() >= count, 120_000);

  async function problems(): Promise<string> {
    const { body } = await fleet.request('GET', '/health');
    return (body?.problems ?? []).join();
  }

  /** Writes and recalls run until further commands were acknowledged on the whole graph. */
  async function expectWritesResume(load: Load): Promise<void> {
    await until('the graph is whole', async () => !(await problems()).includes('The graph '), REBUILD_DEADLINE_MS);
    await reached(load, load.acknowledged() + COMMANDS);
    const { recalls } = await load.stop();
    expect(recalls).to.be.greaterThan(0);
    await fleet.settled();
    await Promise.all(ledgers.map((ledger) => expectListingMatchesLedger(fleet, ledger)));
    expect(await differencesOfFleet(fleet.deployment)).to.deep.equal([]);
  }

  it('is rebuilt under load after a command API was killed in the middle of it', async () => {
    await storeMany(MEMORIES);
    const written = await storeWritten('emptied');
    await fleet.settled();
    const load = startLoad(fleet, ledgers);
    await reached(load, COMMANDS);
    await figures.before();
    const [victim] = fleet.members('command-api');
    if (victim === undefined) throw new Error('The fleet has no command API');
    await neo4j.write([{ text: EMPTY, given: {} }]);
    const reads = startReceiptReads(fleet, written);
    const applied = await untilPartlyRebuilt();
    await victim.stop('SIGKILL');
    process.stdout.write(`        killed with ${applied} of ${MEMORIES} memories in the graph\n`);
    const left = await countMany();
    expect(left, 'memories in the graph after the kill').to.be.within(1, MEMORIES - 1);
    await fleet.add('command-api', { port: victim.port });
    await figures.duringGrowth(REFUSED);
    await expectWritesResume(load);
    expect(await countMany()).to.equal(MEMORIES);
    await expectReceiptWasKept(reads);
  });

  it('fires the alert of refused writes while it is rebuilt', async function () {
    await expectAlerts(this, figures, ['PalimpsestWritesRefused']);
  });

  it('catches up under load after it was put back', async () => {
    const load = startLoad(fleet, ledgers);
    await reached(load, COMMANDS);
    const mark = await createNeo4jGraphMark({ neo4j }).read();
    await storeMany(LATE);
    const written = await storeWritten('put-back');
    await reached(load, 2 * COMMANDS);
    await putBack(mark);
    const reads = startReceiptReads(fleet, written);
    await until('the graph is found to be behind', async () => (await problems()).includes('was put back'));
    await expectWritesResume(load);
    await expectReceiptWasKept(reads);
  });

  /** As an earlier dump: without the memories that were stored after it, and with earlier versions of the others. */
  async function putBack(mark: JournalMark | null): Promise<void> {
    if (mark === null) throw new Error('The graph has no mark');
    const client = new pg.Client({ connectionString: fleet.deployment.postgresUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string; version: string | null }>(CHANGED_AFTER, [mark.position]);
    await client.end();
    const later = rows.filter(({ version }) => version === null).map(({ id }) => id);
    const changed = rows.flatMap(({ id, version }) => (version === null ? [] : [{ id, version: Number(version) }]));
    expect(later.length).to.be.at.least(LATE);
    expect(changed.length).to.be.greaterThan(0);
    await neo4j.write([
      { text: LOCK_MARK, given: {} },
      { text: REMOVE_LATER, given: { ids: later } },
      { text: PUT_BACK, given: { changed } },
      { text: PUT_MARK_BACK, given: mark },
    ]);
  }

  async function countMany(): Promise<number> {
    const [row] = await neo4j.read({ text: "MATCH (m:Memory) WHERE 'many' IN m.tags RETURN count(m) AS n", given: {} });
    return Number(row?.['n']);
  }

  async function untilPartlyRebuilt(): Promise<number> {
    for (const deadline = performance.now() + REBUILD_DEADLINE_MS; performance.now() < deadline; await sleep(POLL_MS)) {
      const count = await countMany();
      if (count > 0) return count;
    }
    throw new Error('The rebuild did not start');
  }
});
