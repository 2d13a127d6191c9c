/** Command APIs whose clocks differ: the times of keys and fingerprints are of Postgres. */
import { expect } from 'chai';
import { pollUntil } from '../../../shared/kernel/concurrency/poll-until.js';
import { command } from '../../support/adapters/committers.js';
import { GRAPH_ADAPTERS } from '../../support/adapters/graphs.js';
import { openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { withShiftedClock } from '../../support/faults/shifted-clock.js';
import { stored } from '../../support/fixtures/events.js';
import { isServerWanted } from '../../support/servers/servers.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const [adapter] = GRAPH_ADAPTERS;
const key = { key: 'a'.repeat(64), requestHash: 'b'.repeat(64) };
const expired = { key: 'e'.repeat(64), requestHash: 'b'.repeat(64) };
const fingerprint = 'f'.repeat(64);

for (const graph of isServerWanted('postgres') && adapter ? [adapter] : []) {
  describe('clocks of command APIs: postgres', () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(graph)));
    afterEach(() => setup.close());

    const keys = async (): Promise<readonly unknown[]> =>
      (await setup.temporary.postgres.query('SELECT key FROM command_keys')).rows.map((row) => row['key']);

    /** Removes an expired key first, so that the purge has run. */
    async function purged(): Promise<void> {
      await setup.temporary.postgres.query(
        `INSERT INTO command_keys VALUES ('${expired.key}', '${expired.requestHash}', 1, 1, now() - interval '25 hours')`,
      );
      setup.start();
      await pollUntil(async () => !(await keys()).includes(expired.key), {
        everyMs: 20,
        signal: AbortSignal.timeout(10_000),
      });
    }

    for (const [name, ms] of [
      ['10 minutes ahead', 10 * MINUTE_MS],
      ['10 minutes behind', -10 * MINUTE_MS],
      ['2 days ahead', 2 * DAY_MS],
      ['2 days behind', -2 * DAY_MS],
    ] as const) {
      it(`a process ${name} repeats no command that another one committed`, async () => {
        const right = setup.start();
        const [first] = await right.committer.commit([command([stored(1)], { key, fingerprint })]);
        await right.close();
        await withShiftedClock(ms, async () => {
          await purged();
          const wrong = setup.start();
          const repeated = { ...first, kind: 'repeated' };
          expect(await wrong.committer.earlier({ key, fingerprint: null })).to.deep.equal(repeated);
          expect(await wrong.committer.earlier({ key: null, fingerprint })).to.deep.equal(repeated);
          expect(await wrong.committer.commit([command([stored(2)], { key })])).to.deep.equal([repeated]);
        });
      });

      it(`another process repeats no command of a process ${name}`, async () => {
        const first = await withShiftedClock(ms, async () => {
          const wrong = setup.start();
          const [committed] = await wrong.committer.commit([command([stored(1)], { key, fingerprint })]);
          await wrong.close();
          return committed;
        });
        await purged();
        const right = setup.start();
        const repeated = { ...first, kind: 'repeated' };
        expect(await right.committer.earlier({ key, fingerprint: null })).to.deep.equal(repeated);
        expect(await right.committer.earlier({ key: null, fingerprint })).to.deep.equal(repeated);
        expect(await right.committer.commit([command([stored(2)], { key })])).to.deep.equal([repeated]);
      });
    }
  });
}
