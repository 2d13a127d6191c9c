/**
 * Kills all processes of the fleet together (SIGKILL) before their background work is done, and starts the same
 * processes again.
 */
import { expect } from 'chai';
import { CAUGHT_UP_MS, expectMeaningsRecalled, MEANING_COUNT, storeMeanings } from '../../support/fixtures/meanings.js';
import type { Kind } from '../../support/processes/fleet.js';
import { expectConsistentStores, type FaultSetup } from './fault-checks.js';

const TAG = 'killed';
const KINDS: readonly Kind[] = ['command-api', 'relay', 'projectors', 'query-api'];

export function wholeFleetFaults(stage: () => FaultSetup): void {
  it(`enriches and indexes ${MEANING_COUNT} memories within ${CAUGHT_UP_MS / 1_000} s`, async function () {
    this.timeout(240_000 + CAUGHT_UP_MS);
    const { fleet } = stage();
    const meanings = await storeMeanings(fleet, TAG);
    const victims = KINDS.flatMap((kind) => fleet.members(kind));
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
