/** Runs one fault against a fleet under load, and checks all stores afterwards. */
import { expect } from 'chai';
import { differencesOfFleet } from '../../support/checks/compare-deployment.js';
import { examineServers, type ServerFindings } from '../../support/checks/examine-servers.js';
import { createLedger, type Ledger } from '../../support/checks/ledger.js';
import { expectListingMatchesLedger } from '../../support/checks/ledger-assertions.js';
import { until } from '../../support/checks/until.js';
import { seededRandom } from '../../support/fixtures/random.js';
import type { Fleet, Kind } from '../../support/processes/fleet.js';
import { followJournal } from './follow-journal.js';
import { type Counts, startLoad } from './load.js';

export type FaultSetup = {
  readonly fleet: Fleet;
  readonly ledgers: readonly Ledger[];
  /**
   * False after the topic was deleted: Kafka then holds only later events. Consumers read the others from the journal.
   */
  readonly isTopicWhole?: boolean;
  /** False while Postgres has the schema of a newer release. */
  readonly isSchemaKnown?: boolean;
};

const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
const WRITERS = 8;
/** The number of acknowledged commands for each fault: before, during and after it. */
const COMMANDS = Number(process.env['PALIMPSEST_FAULT_COMMANDS'] ?? 300);

export function createLedgers(): readonly Ledger[] {
  return Array.from({ length: WRITERS }, (_, index) => createLedger(`d${index}`, seededRandom(SEED + index)));
}

/**
 * Runs the fault after a third of the commands are acknowledged and continues until all are. Then it expects, without a
 * restart of our processes, that all stores agree, that recall answered where the degradation rules promise it, and
 * that a reader of the journal by position skipped no event.
 */
export async function survivesFault(
  stage: FaultSetup,
  fault: () => Promise<void>,
  { isRecallPromised = true } = {},
): Promise<Counts> {
  const follower = await followJournal(stage.fleet.deployment.postgresUrl);
  const load = startLoad(stage.fleet, stage.ledgers);
  const reached = (count: number): Promise<unknown> =>
    until(`${count} commands are acknowledged`, () => load.acknowledged() >= count, 120_000);
  await reached(COMMANDS / 3);
  const before = load.acknowledged();
  await fault();
  await reached(Math.max(before + COMMANDS / 3, COMMANDS));
  const counts = await load.stop();
  expect(await follower.missed(), 'positions that a reader of the journal skipped').to.deep.equal([]);
  expect(counts.recalls).to.be.greaterThan(0);
  if (isRecallPromised)
    expect(
      counts.recallsRefused,
      `recalls without a 200, slowest other ${JSON.stringify(counts.slowestRecall)}\n${failuresOf(stage.fleet, 'query-api')}`,
    ).to.deep.equal([]);
  await expectConsistentStores(stage, counts);
  return counts;
}

/** The log lines of requests that a server or a limit failed. They have the cause, which replies hide. */
export function failuresOf(fleet: Fleet, kind: Kind): string {
  const lines = fleet.members(kind).flatMap(({ output }) => output().split('\n'));
  return lines.filter((line) => line.includes('"failure"')).join('\n');
}

export async function expectConsistentStores(
  { fleet, ledgers, isTopicWhole = true, isSchemaKnown = true }: FaultSetup,
  counts?: Counts,
): Promise<void> {
  await fleet.settled();
  const examine = (): Promise<ServerFindings> => examineServers(fleet.deployment, { isTopicWhole });
  // The outbox may empty later. When health reports no commits in flight, all vectors must exist.
  let findings = await examine();
  expect(findings.unindexed, 'memories without a vector although health reports no commits in flight').to.equal(0);
  await Promise.all(ledgers.map((ledger) => expectListingMatchesLedger(fleet, ledger)));
  await until('the outbox is empty and the stores agree', async () => {
    if (findings.disagreements.length > 0) findings = await examine();
    return findings.disagreements.length === 0;
  }).catch(() => undefined /* the next assertion shows the disagreements */);
  expect(findings.disagreements).to.deep.equal([]);
  const expected = ledgers.reduce((sum, ledger) => sum + ledger.memories().length, 0);
  expect(findings.memories).to.be.at.least(expected);
  if (isSchemaKnown)
    expect(await differencesOfFleet(fleet.deployment), 'differences that verify finds').to.deep.equal([]);
  if (counts) report(counts, findings);
}

/** Prints one line with the counts of the run. */
function report(
  counts: Counts,
  {
    events,
    memories,
    associations,
    resent,
  }: { readonly events: number; readonly memories: number; readonly associations: number; readonly resent: number },
): void {
  const { sent, acknowledged, unavailable, broken, recalls, recallsRefused, slowestRecall } = counts;
  process.stdout.write(
    `        sent ${sent}, acknowledged ${acknowledged}, retryable errors ${unavailable}, broken connections ${broken}; recalls ${recalls}, without 200 ${recallsRefused.length}, slowest ${slowestRecall.ms} ms (${slowestRecall.stages}); now ${events} events, ${memories} memories, ${associations} associations, re-sent to Kafka ${resent}\n`,
  );
}
