/**
 * A journal of the release before the retries of the commit: its pending rows are rolled forward after the migration.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { claimOverdue } from '../../../shared/engines/postgres/commit/pending-rows.js';
import { migratePostgres } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import { APPEND, eventsToAppend } from '../../../shared/engines/postgres/journal/event-rows.js';
import { journalMigrations } from '../../../shared/engines/postgres/schema/journal.js';
import { stored } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const STEPS_BEFORE = 2;

if (isServerWanted('postgres')) {
  describe('migration of pending rows', () => {
    let temporary: TemporaryPostgres;
    beforeEach(async () => (temporary = await openTemporaryPostgres({ empty: true })));
    afterEach(() => temporary.remove());

    it('keeps rows of an earlier release claimable', async () => {
      const { postgres } = temporary;
      const { component, steps } = journalMigrations;
      await migratePostgres(postgres, [{ component, steps: steps.slice(0, STEPS_BEFORE) }]);
      const events = eventsToAppend([{ event: stored(1), commandId: randomUUID() }]);
      await postgres.query(APPEND, [events, randomUUID(), 0]);
      await migratePostgres(postgres, [journalMigrations]);
      const claimed = await claimOverdue(postgres, { owner: randomUUID(), leaseMs: 1_000, limit: 10, after: 0 });
      expect(claimed.map(({ position }) => position)).to.deep.equal([1]);
    });
  });
}
