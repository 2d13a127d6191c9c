/** What every fault of the distributed service is played on: a fleet of two of each kind, writers with books, and the check afterwards. */
import { expect } from 'chai';
import { agreesWithBooks } from '../../support/books.js';
import { examineServers, type ServerFindings } from '../../support/examine-servers.js';
import type { Fleet } from '../../support/fleet.js';
import { createLedger, type Ledger } from '../../support/ledger.js';
import { seededRandom } from '../../support/random.js';
import { until } from '../../support/until.js';
import { followJournal } from './follow-journal.js';
import { startLoad, type Counts } from './load.js';

export type Stage = {
  readonly fleet: Fleet;
  readonly ledgers: readonly Ledger[];
  /** False once the topic was deleted: Kafka then holds the later events only. Consumers had the rest from the journal. */
  readonly isTopicWhole?: boolean;
};

const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
const WRITERS = 8;
/** Commands acknowledged under each fault, before, during and after it. */
const COMMANDS = Number(process.env['PALIMPSEST_FAULT_COMMANDS'] ?? 300);

export function openBooks(): readonly Ledger[] {
  return Array.from({ length: WRITERS }, (_, index) => createLedger(`d${index}`, seededRandom(SEED + index)));
}

/**
 * Lets the fault happen once a third of the commands are acknowledged, goes on until all are, and then demands that everything holds
 * without a restart of anything of ours, that recall kept answering where the rules of degradation say so, and that a reader of the
 * journal by position missed nothing.
 */
export async function survives(
  stage: Stage,
  fault: () => Promise<void>,
  { isRecallPromised = true } = {},
): Promise<Counts> {
  const follower = await followJournal(stage.fleet.ground.postgresUrl);
  const load = startLoad(stage.fleet, stage.ledgers);
  const reached = (count: number): Promise<unknown> =>
    until(`${count} commands are acknowledged`, () => load.acknowledged() >= count, 120_000);
  await reached(COMMANDS / 3);
  const before = load.acknowledged();
  await fault();
  await reached(Math.max(before + COMMANDS / 3, COMMANDS));
  const counts = await load.stop();
  expect(await follower.missed(), 'positions that a reader of the journal passed').to.deep.equal([]);
  expect(counts.recalls).to.be.greaterThan(0);
  if (isRecallPromised) expect(counts.recallsRefused, 'recalls that were not answered').to.equal(0);
  await everythingHolds(stage, counts);
  return counts;
}

export async function everythingHolds({ fleet, ledgers, isTopicWhole = true }: Stage, counts?: Counts): Promise<void> {
  await fleet.settled();
  const examine = (): Promise<ServerFindings> => examineServers(fleet.ground, { isTopicWhole });
  // The outbox may empty a little later; vectors are what nothing in flight is told of.
  let findings = await examine();
  expect(findings.unindexed, 'memories without their vector while nothing was said to be in flight').to.equal(0);
  await Promise.all(ledgers.map((ledger) => agreesWithBooks(fleet, ledger)));
  await until('the outbox is empty and the stores agree', async () => {
    if (findings.disagreements.length > 0) findings = await examine();
    return findings.disagreements.length === 0;
  }).catch(() => undefined /* what they disagree about says more */);
  expect(findings.disagreements).to.deep.equal([]);
  const booked = ledgers.reduce((sum, ledger) => sum + ledger.memories().length, 0);
  expect(findings.memories).to.be.at.least(booked);
  if (counts) report(counts, findings);
}

/** One line for a person who reads the run: what was sent and what became of it. */
function report(
  counts: Counts,
  {
    events,
    memories,
    associations,
    resent,
  }: { readonly events: number; readonly memories: number; readonly associations: number; readonly resent: number },
): void {
  const { sent, acknowledged, unavailable, broken, recalls, recallsRefused } = counts;
  process.stdout.write(
    `        sent ${sent}, acknowledged ${acknowledged}, try again ${unavailable}, broken ${broken}; recalls ${recalls}, refused ${recallsRefused}; now ${events} events, ${memories} memories, ${associations} associations, re-sent to Kafka ${resent}\n`,
  );
}
