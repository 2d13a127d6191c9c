/** What a process remembers of the outbox expires, because a failover may bring rows back below a bound. */
import { expect } from 'chai';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { EXPIRY_MS } from '../../../shared/engines/postgres/outbox/bound-expiry.js';
import { createOutboxWindow } from '../../../shared/engines/postgres/outbox/outbox-window.js';
import { createPendingBound } from '../../../shared/engines/postgres/outbox/pending-bound.js';
import { createPublishableSearch } from '../../../shared/engines/postgres/outbox/publishable-search.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { until } from '../../support/checks/until.js';
import { stored } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

type Deps = { readonly postgres: Postgres; readonly monotonicMs: () => number };

const OUTBOX_ROW = 'INSERT INTO outbox (position) VALUES (2)';
const PENDING_ROW = `INSERT INTO outbox_pending (position, partition_key, subject, command_id, owner, lease_until)
  SELECT position, partition_key, subject, gen_random_uuid(), gen_random_uuid(), now() FROM journal WHERE position = 2`;
const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** Each query returns whether it found the row at position 2. */
const QUERIES: Readonly<
  Record<string, { readonly row: string; readonly open: (deps: Deps) => () => Promise<boolean> }>
> = {
  'the count of a sweep': {
    row: PENDING_ROW,
    open: (deps) => {
      const bound = createPendingBound(deps);
      return async () => (await bound.query({ countLimit: 10 })) === 1;
    },
  },
  'the depth of the outbox': {
    row: OUTBOX_ROW,
    open: (deps) => {
      const window = createOutboxWindow(deps);
      return async () => (await window.query()).published.position === 1;
    },
  },
  'the search of the relay': {
    row: OUTBOX_ROW,
    open: (deps) => {
      const search = createPublishableSearch(deps);
      return async () => (await search.find(deps.postgres, 10)).includes(2);
    },
  },
};

if (isServerWanted('postgres')) {
  describe('bounds of the outbox', () => {
    let temporary: TemporaryPostgres;
    let nowMs: number;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      nowMs = 0;
    });
    afterEach(() => temporary.remove());

    for (const [name, { row, open }] of Object.entries(QUERIES)) {
      /** A query whose bound is above the row. */
      async function passRow(postgres: Postgres): Promise<() => Promise<boolean>> {
        const query = open({ postgres, monotonicMs: () => nowMs });
        await appendToPostgres(postgres, [stored(1), stored(2), stored(3)]);
        await postgres.query('DELETE FROM outbox; DELETE FROM outbox_pending');
        expect(await query()).to.equal(false);
        await postgres.query(row);
        nowMs = EXPIRY_MS - 1;
        expect(await query(), 'before the bound expires').to.equal(false);
        return query;
      }

      it(`start at 0 again after a minute in ${name}`, async () => {
        const query = await passRow(temporary.postgres);
        nowMs = EXPIRY_MS;
        expect(await query()).to.equal(true);
      });

      it(`start at 0 again after a lost connection in ${name}`, async () => {
        const postgres = temporary.openAnother();
        const query = await passRow(postgres);
        await temporary.postgres.query(END_OTHERS);
        await until('the pool has noticed', () => postgres.lostConnections() > 0);
        expect(await query()).to.equal(true);
        await postgres.close();
      });
    }
  });
}
