/** SIGKILL of every process at once with background work undone, and the same started again: two query APIs, two projectors, two of each. */
import { expect } from 'chai';
import type { Kind } from '../../support/fleet.js';
import { CAUGHT_UP_MS, MEANINGS, meaningsAreFound, storeMeanings } from '../../support/meanings.js';
import { everythingHolds, type Stage } from './stage.js';

const TAG = 'killed';
const KINDS: readonly Kind[] = ['command-api', 'relay', 'projectors', 'query-api'];

export function wholeFleetFaults(stage: () => Stage): void {
  it(`${MEANINGS} acknowledged memories are found by their own meaning and enriched within ${CAUGHT_UP_MS / 1_000} s of the next start`, async function () {
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
    expect(body.pending, 'what the kill left undone').to.be.greaterThan(0);
    await meaningsAreFound(fleet, meanings, { tag: TAG, deadlineMs: CAUGHT_UP_MS - (performance.now() - begin) });
    process.stdout.write(
      `        all ${MEANINGS} found and enriched ${Math.round(performance.now() - begin)} ms after the start\n`,
    );
    await everythingHolds(stage());
  });
}
