/**
 * Holds the Postgres of the simulation to the real one: the functions of production run over both, and each answer, and
 * in the end each table, must be equal. Otherwise the simulation would prove nothing about the service.
 */
import { expect } from 'chai';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { STATEMENTS } from '../../simulation/postgres/statements/all-statements.js';
import { command } from '../../support/adapters/committers.js';
import { until } from '../../support/checks/until.js';
import { associated, deleted, stored, updated } from '../../support/fixtures/events.js';
import { isServerWanted } from '../../support/servers/servers.js';
import { commitGroups, committing, eraseMemories, findRequests } from './commit-script.js';
import { applyPending, relayEvents } from './outbox-script.js';
import { openPairedPostgres, type PairedPostgres } from './paired-postgres.js';
import { keepIdentity, keepLetters, keepProgress, keepVectors, readJournal } from './records-script.js';

const SCRIPTS: Readonly<Record<string, (postgres: Postgres) => Promise<void>>> = {
  'commits and refuses groups': commitGroups,
  'finds, forgets and purges earlier requests': findRequests,
  'erases deleted memories': eraseMemories,
  'claims, retries and buries pending rows': applyPending,
  'gives the relay its rows': relayEvents,
  'reads the journal': readJournal,
  'keeps the identity of the journal': keepIdentity,
  'keeps dead letters': keepLetters,
  'keeps heartbeats and topic records': keepProgress,
  'keeps vectors': keepVectors,
};

/** The value of the sequence that the log has, which a server continues with after a crash. */
const LOGGED = 'SELECT last_value + log_cnt AS logged FROM journal_position_seq';

if (isServerWanted('postgres')) {
  describe('the simulated Postgres', () => {
    const executed = new Set<string>();
    let paired: PairedPostgres;
    beforeEach(async () => (paired = await openPairedPostgres(executed)));
    afterEach(() => paired.close());

    for (const [title, run] of Object.entries(SCRIPTS))
      it(`${title} like the real one`, async () => {
        await run(paired.postgres);
        await paired.expectEqualTables();
        await until('both gave the same notifications', () => paired.notified.real === paired.notified.model);
      });

    it('returns to an earlier state and skips positions', async () => {
      const commit = committing(paired.postgres);
      await commit([command([stored(1), stored(2)], { fingerprint: 'one' })]);
      await commit([command([updated(1, 2), associated(1, 2)])]);
      const before = await paired.realTables();
      const { rows } = await paired.real.postgres.query(LOGGED);
      const { events } = await commit([command([updated(1, 3), stored(3)])]);
      await commit([command([deleted(2, 2)])]);
      const { head, lost } = paired.model.server.failOver({ lostCommits: 2, downMs: 0 });
      expect([head, lost.map(({ position }) => position)]).to.deep.equal([4, [5, 6, 7]]);
      await paired.expectEqualTables(before);
      const next = await until('the model answers', () =>
        committing(paired.model.postgres)([command([stored(9)])]).catch(() => null),
      );
      expect(next.events.map(({ position }) => position)).to.deep.equal([Number(rows[0]?.['logged']) + 1]);
      expect(events).to.have.lengthOf(2);
    });

    it('executed each of its statements in the tests before', () => {
      expect(Object.keys(STATEMENTS).filter((name) => !executed.has(name))).to.deep.equal([]);
    });
  });
}
