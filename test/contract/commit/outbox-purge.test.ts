/** The removal of expired keys and fingerprints from Postgres. */
import { expect } from 'chai';
import { pollUntil } from '../../../shared/kernel/concurrency/poll-until.js';
import { GRAPH_ADAPTERS } from '../../support/adapters/graphs.js';
import { openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { isServerWanted } from '../../support/servers/servers.js';

/** Many times the rows that one statement removes. */
const EXPIRED = 50_000;
const FRESH = 7;
const LIMIT_MS = 20_000;

const FILL = `
  INSERT INTO command_keys (key, request_hash, first_position, last_position, at)
    SELECT 'expired' || n, 'hash', n, n, now() - interval '25 hours' - (n / 200) * interval '400 ms' FROM generate_series(1, ${EXPIRED}) AS n
    UNION ALL SELECT 'fresh' || n, 'hash', n, n, now() - interval '23 hours' FROM generate_series(1, ${FRESH}) AS n;
  INSERT INTO unanswered (command_id, fingerprint, owner, first_position, last_position, at)
    SELECT gen_random_uuid(), 'print' || n, gen_random_uuid(), n, n, now() - interval '61 seconds' FROM generate_series(1, ${EXPIRED}) AS n
    UNION ALL SELECT gen_random_uuid(), 'fresh' || n, gen_random_uuid(), n, n, now() FROM generate_series(1, ${FRESH}) AS n;`;

const [adapter] = GRAPH_ADAPTERS;

for (const graph of isServerWanted('postgres') && adapter ? [adapter] : []) {
  describe('request purge: postgres', () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(graph)));
    afterEach(() => setup.close());

    const counted = async () => {
      const { rows } = await setup.temporary.postgres.query(
        'SELECT (SELECT count(*) FROM command_keys) AS keys, (SELECT count(*) FROM unanswered) AS unanswered',
      );
      return rows[0];
    };

    it('removes a backlog at once, also with two processes', async () => {
      await setup.temporary.postgres.query(FILL);
      setup.start();
      setup.start();
      const remaining = { keys: FRESH, unanswered: FRESH };
      const isPurged = async () => JSON.stringify(await counted()) === JSON.stringify(remaining);
      await pollUntil(isPurged, { everyMs: 50, signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => undefined);
      expect(await counted()).to.deep.equal(remaining);
    });
  });
}
