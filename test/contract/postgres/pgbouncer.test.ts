/** PgBouncer in front of Postgres, on machines that have both. */
import { expect } from 'chai';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { PGBOUNCER, type PgBouncerOptions, startPgBouncer } from '../../support/processes/pgbouncer.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

for (const program of isServerWanted('postgres') && PGBOUNCER !== null ? [PGBOUNCER] : []) {
  describe('PgBouncer', () => {
    let temporary: TemporaryPostgres;
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
    });
    afterEach(() => temporary.remove());

    async function open(options: Omit<PgBouncerOptions, 'url'>): Promise<void> {
      const resources = createResources();
      const pooler = resources.add(
        await startPgBouncer(program, { ...options, url: temporary.config.url }),
        (running) => running.close(),
      );
      const startupRetry = { timeoutMs: 5_000, logger: silentLogger, signal: new AbortController().signal };
      try {
        await openPostgres({
          config: { ...temporary.config, url: pooler.url },
          resources,
          startupRetry,
        });
      } finally {
        await resources.close();
      }
    }

    it('stops the start with transaction pooling', async () => {
      const error = await rejection(open({ poolMode: 'transaction', ignoredParameters: LIMITS }));
      expect(error)
        .to.be.instanceOf(ConfigurationError)
        .with.property('message')
        .that.matches(/transaction pooling/u);
    });

    it('serves with session pooling', async () => {
      await open({ poolMode: 'session', ignoredParameters: LIMITS });
    });

    it('stops the start when it refuses our time limits', async () => {
      const error = await rejection(open({ poolMode: 'session', ignoredParameters: [] }));
      expect(error)
        .to.be.instanceOf(ConfigurationError)
        .with.property('message')
        .that.matches(/statement_timeout/u);
    });
  });
}
