/** Kills processes (SIGKILL) in the middle of a batch, and pauses processes (SIGSTOP) for longer than each lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CAUGHT_UP_MS, expectMeaningsRecalled, MEANING_COUNT, storeMeanings } from '../../support/fixtures/meanings.js';
import type { Kind, Member } from '../../support/processes/fleet.js';
import { expectConsistentStores, type FaultSetup, survivesFault } from './fault-checks.js';
import { ALL_LEASES_EXPIRED_MS } from './fleet-variables.js';

const ALL_KINDS = ['relay', 'projectors', 'query-api', 'command-api'] as const;
const TAG = 'killed';

export function processFaults(stage: () => FaultSetup): void {
  for (const kind of ALL_KINDS) {
    it(`loses nothing when one of two ${kind} processes is killed`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      const victim = firstOf(stage(), kind);
      await survivesFault(stage(), async () => {
        expect(await victim.stop('SIGKILL')).to.equal('SIGKILL');
      });
      await fleet.add(kind, { port: victim.port });
    });
  }

  for (const kind of ['command-api', 'relay', 'projectors'] as const) {
    it(`loses nothing when a ${kind} pauses for longer than its leases`, async function () {
      this.timeout(300_000);
      const paused = firstOf(stage(), kind);
      await survivesFault(stage(), async () => {
        paused.signal('SIGSTOP');
        await sleep(ALL_LEASES_EXPIRED_MS);
        paused.signal('SIGCONT');
      });
      expect(paused.isRunning(), paused.output()).to.equal(true);
    });
  }
}

/**
 * Kills all processes of the fleet together (SIGKILL) before their background work is done, and starts the same
 * processes again.
 */
export function wholeFleetFaults(stage: () => FaultSetup): void {
  it(`enriches and indexes ${MEANING_COUNT} memories within ${CAUGHT_UP_MS / 1_000} s`, async function () {
    this.timeout(240_000 + CAUGHT_UP_MS);
    const { fleet } = stage();
    const meanings = await storeMeanings(fleet, TAG);
    const victims = ALL_KINDS.flatMap((kind) => fleet.members(kind));
    expect(await Promise.all(victims.map((victim) => victim.stop('SIGKILL')))).to.deep.equal(
      victims.map(() => 'SIGKILL'),
    );

    const begin = performance.now();
    await Promise.all(victims.map(({ kind, port }) => fleet.add(kind, { port })));
    const { body } = await fleet.request('GET', '/enrichment/status');
    expect(body.pending, 'memories to enrich after the kill').to.be.greaterThan(0);
    await expectMeaningsRecalled(fleet, meanings, { tag: TAG, deadlineMs: CAUGHT_UP_MS - (performance.now() - begin) });
    process.stdout.write(
      `        all ${MEANING_COUNT} recalled and enriched ${Math.round(performance.now() - begin)} ms after the start\n`,
    );
    await expectConsistentStores(stage());
  });
}

function firstOf({ fleet }: FaultSetup, kind: Kind): Member {
  const [member] = fleet.members(kind);
  if (!member) throw new Error(`The fleet has no running ${kind}`);
  return member;
}
