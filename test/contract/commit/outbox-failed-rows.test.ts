/** Failures that come back after a failover, when another event has the position of the one that failed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Rejected } from '../../../shared/engines/postgres/commit/apply-parts.js';
import { commitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import { countDeadFailures, countFailures, finishDead } from '../../../shared/engines/postgres/commit/failed-rows.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { stored } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

if (isServerWanted('postgres')) {
  describe('failed rows of the outbox', () => {
    let temporary: TemporaryPostgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
    });
    afterEach(() => temporary.remove());

    const failureOf = (id: string): Rejected => new Map([[1, { id, error: new Error('refused') }]]);

    it('count no failure for another event at the position', async () => {
      const [event] = await appendToPostgres(temporary.postgres, [stored(1)]);
      const attemptsAfter = async (id: string): Promise<unknown> => {
        await countFailures(temporary.postgres, failureOf(id), { config: commitConfig({}), isRefusing: false });
        return (await temporary.postgres.query('SELECT position, attempts FROM outbox_pending')).rows;
      };
      expect(await attemptsAfter(randomUUID())).to.deep.equal([{ position: 1, attempts: 0 }]);
      expect(await attemptsAfter(event?.id ?? '')).to.deep.equal([{ position: 1, attempts: 1 }]);
    });

    it('leave the dead letter of another event at the position', async () => {
      const { deadLetters } = postgresRecords(temporary.postgres);
      const eventId = randomUUID();
      const letter = { projector: 'commit', eventId, subject: 'x', type: 'memory.stored', version: 1, position: 1 };
      await deadLetters.add({ ...letter, reason: '', attempts: 8, at: '' } as const);
      const attempts = async (): Promise<readonly unknown[]> =>
        (await temporary.postgres.query('SELECT attempts FROM dead_letters')).rows;
      await countDeadFailures(temporary.postgres, failureOf(randomUUID()));
      await finishDead(temporary.postgres, [randomUUID()]);
      expect(await attempts()).to.deep.equal([{ attempts: 8 }]);
      await countDeadFailures(temporary.postgres, failureOf(eventId));
      expect(await attempts()).to.deep.equal([{ attempts: 9 }]);
      await finishDead(temporary.postgres, [eventId]);
      expect(await attempts()).to.deep.equal([]);
    });
  });
}
