/**
 * The outbox while a long snapshot keeps dead rows in its tables: every query visits few blocks, and finds what it
 * found before.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createAnswerLedger } from '../../../shared/engines/postgres/commit/answer-ledger.js';
import { claimFailed, finishDead } from '../../../shared/engines/postgres/commit/failed-rows.js';
import {
  claimOverdue,
  finishPending,
  pendingOfSubjects,
  releasePending,
} from '../../../shared/engines/postgres/commit/pending-rows.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { HELD_LIMIT } from '../../../shared/engines/postgres/outbox/outbox-window.js';
import { createPendingBound, type PendingBound } from '../../../shared/engines/postgres/outbox/pending-bound.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { addressesOf, appendToPostgres } from '../../support/adapters/journals.js';
import { blocksVisited, holdDeadRows } from '../../support/faults/dead-rows.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const DEAD_ROWS = 20_000;
/** A scan of all dead rows visits 109 to 653 blocks. */
const FEW_BLOCKS = 60;
const OWNER = randomUUID();
const UNKNOWN = [1_000_001, 1_000_002].map((position) => ({ position, id: randomUUID() }));

if (isServerWanted('postgres')) {
  describe('outbox with dead rows', () => {
    let temporary: TemporaryPostgres;
    let postgres: Postgres;
    let outbox: ReturnType<typeof createPostgresOutbox>;
    let pending: PendingBound;
    let release: () => Promise<void>;

    const finish = async (positions: readonly number[]): Promise<void> =>
      finishPending(postgres, await addressesOf(postgres, positions));

    /** Dead letters of the commit; their events are no longer pending. */
    async function bury(...positions: readonly number[]): Promise<void> {
      const { deadLetters: letters } = postgresRecords(postgres);
      for (const { id: eventId, position } of await addressesOf(postgres, positions)) {
        const event = { eventId, subject: 'x', type: 'memory.stored', version: 1, position };
        await letters.add({ projector: 'commit', ...event, reason: '', attempts: 8, at: '' });
      }
      await finish(positions);
    }

    async function finishDeadAt(position: number): Promise<void> {
      const addresses = await addressesOf(postgres, [position]);
      await finishDead(
        postgres,
        addresses.map(({ id }) => id),
      );
    }

    async function publish(): Promise<readonly number[]> {
      const events = await outbox.applied({ limit: 500 });
      await outbox.published(events);
      return events.map(({ position }) => position);
    }

    const queries: Readonly<Record<string, () => Promise<unknown>>> = {
      publishedThrough: () => outbox.publishedThrough(),
      unapplied: () => outbox.unapplied([1, 1_000_001]),
      depth: () => outbox.depth(),
      'the query of the relay': () => outbox.applied({ limit: 500 }),
      'the count of a sweep': () => pending.query({ countLimit: 10_000 }),
      'the claim of overdue events': () =>
        claimOverdue(postgres, { owner: OWNER, leaseMs: 1_000, limit: 100, after: pending.after() }),
      'the claim of failed events': () => claimFailed(postgres, { owner: OWNER, leaseMs: 1_000 }),
      'the look-up by subject': () => pendingOfSubjects(postgres, [randomUUID()]),
      'the look-up by command': () =>
        createAnswerLedger({ postgres, logger: silentLogger }).abandon([randomUUID(), randomUUID()]),
      'the end of a commit': () => finishPending(postgres, UNKNOWN),
      'the end of a lease': () => releasePending(postgres, [1_000_001, 1_000_002]),
    };

    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      postgres = temporary.openAnother({ poolSize: 1 });
      outbox = createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: 10_000 });
      pending = createPendingBound({ postgres });
      release = async () => undefined;
    });
    afterEach(async () => {
      await release();
      await outbox.close();
      await postgres.close();
      await temporary.remove();
    });

    async function expectCheapQueries(): Promise<void> {
      for (const query of Object.values(queries)) await query();
      const visited: Record<string, number> = {};
      for (const [name, query] of Object.entries(queries)) visited[name] = await blocksVisited(postgres, query);
      const expensive = Object.entries(visited).filter(([, blocks]) => blocks > FEW_BLOCKS);
      expect(Object.fromEntries(expensive)).to.deep.equal({});
    }

    it('visits few blocks in each query', async () => {
      release = await holdDeadRows(temporary, DEAD_ROWS);
      await expectCheapQueries();
    });

    it('visits few blocks behind a dead letter and a failed event', async () => {
      await appendToPostgres(postgres, [stored(1), updated(1, 2), stored(2)]);
      await bury(1);
      await finish([2]);
      await postgres.query(
        `UPDATE outbox_pending SET attempts = 1, next_attempt_at = now() + interval '1 hour' WHERE position = 3`,
      );
      await postgres.query(`UPDATE outbox SET recorded_at = now() - interval '1 minute'`);
      release = await holdDeadRows(temporary, DEAD_ROWS);
      await expectCheapQueries();
      expect([await outbox.publishedThrough(), await outbox.unapplied([1, 2, 3])]).to.deep.equal([
        { position: DEAD_ROWS + 3, complete: 0 },
        new Set([1, 3]),
      ]);
      expect(await outbox.depth()).to.include({ pending: 1, applied: 1, dead: 1 });
    });

    it('finds a redriven dead letter below the remembered bounds', async () => {
      await appendToPostgres(postgres, [stored(1), updated(1, 2), stored(2)]);
      await bury(1);
      await finish([2, 3]);
      expect(await publish()).to.deep.equal([3]);
      await appendToPostgres(postgres, [stored(3)]);
      await finish([4]);
      expect(await publish()).to.deep.equal([4]);
      expect([await publish(), await outbox.publishedThrough()]).to.deep.equal([[], { position: 4, complete: 0 }]);
      await finishDeadAt(1);
      expect(await outbox.publishedThrough()).to.deep.equal({ position: 0, complete: 0 });
      expect(await publish()).to.deep.equal([1, 2]);
      expect(await outbox.publishedThrough()).to.deep.equal({ position: 4, complete: 4 });
    });

    it('finds all events behind a dead letter with a full list', async () => {
      const count = HELD_LIMIT + 200;
      const events = Array.from({ length: count }, (_, index) => (index === 0 ? stored(1) : updated(1, index + 1)));
      await appendToPostgres(postgres, [...events, stored(2)]);
      await bury(1);
      await finish(Array.from({ length: count }, (_, index) => index + 2));
      expect(await publish()).to.deep.equal([count + 1]);
      for (let repeated = 0; repeated < 3; repeated += 1)
        expect([await publish(), await outbox.publishedThrough()]).to.deep.equal([
          [],
          { position: count + 1, complete: 0 },
        ]);
      expect(await outbox.depth()).to.include({ pending: 0, applied: count - 1, dead: 1 });
      await finishDeadAt(1);
      const published: number[] = [];
      for (let page = await publish(); page.length > 0; page = await publish()) {
        const through = Math.min(page.at(-1) ?? 0, count) + (page.at(-1) === count ? 1 : 0);
        expect(await outbox.publishedThrough()).to.deep.equal({ position: through, complete: through });
        published.push(...page);
      }
      expect(published).to.deep.equal(Array.from({ length: count }, (_, index) => index + 1));
    });

    it('starts again after the journal was restored', async () => {
      await appendToPostgres(postgres, [stored(1), stored(2), stored(3)]);
      await finish([1, 2, 3]);
      await publish();
      for (const query of Object.values(queries)) await query();
      await postgres.query(
        `DELETE FROM journal WHERE position > 1; INSERT INTO outbox (position) VALUES (1);
         INSERT INTO outbox_pending (position, partition_key, subject, command_id, owner, lease_until)
           SELECT position, partition_key, subject, gen_random_uuid(), gen_random_uuid(), now() FROM journal`,
      );
      expect(await outbox.publishedThrough()).to.deep.equal({ position: 0, complete: 0 });
      expect(await outbox.unapplied([1])).to.deep.equal(new Set([1]));
      await pending.query({ countLimit: 1 });
      expect(pending.after()).to.equal(0);
      await finish([1]);
      await outbox.applied({ limit: 10 });
      expect(await publish()).to.deep.equal([1]);
    });
  });
}
