/**
 * A vector of the embedding cache stays when one memory starts to use it while another one releases it, in either
 * order.
 */
import { expect } from 'chai';
import {
  markUses,
  putEntries,
  releaseMemories,
  removeUses,
} from '../../../shared/engines/postgres/records/postgres-embedding-cache.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { until } from '../../support/checks/until.js';
import { numberedId, stored } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

if (isServerWanted('postgres')) {
  describe('postgres embedding cache', () => {
    let temporary: TemporaryPostgres;
    const entry = (number: number) => ({ ref: 'a', memoryId: numberedId(number), vector: Float32Array.of(1) });
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      await putEntries(temporary.postgres, [entry(1)]);
    });
    afterEach(() => temporary.remove());

    const lockWait = () =>
      until('a connection waits for a lock', async () => {
        const { count } = await temporary.postgres.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return count > 0;
      });

    const release = () =>
      temporary.postgres.transaction((transaction) => releaseMemories(transaction, [numberedId(1)]));
    const references = async () => [...(await postgresRecords(temporary.postgres).cache.get(['a'])).keys()];

    it('keeps a vector that gets a new user before the release', async () => {
      let released: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await putEntries(transaction, [entry(2)]);
        released = release();
        await lockWait();
      });
      await released;
      expect(await references()).to.deep.equal(['a']);
    });

    it('keeps a vector that gets a new user during the release', async () => {
      let taken: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await releaseMemories(transaction, [numberedId(1)]);
        taken = putEntries(temporary.postgres, [entry(2)]);
        await lockWait();
      });
      await taken;
      expect(await references()).to.deep.equal(['a']);
    });

    it('stores no vector of a memory whose deletion is uncommitted', async () => {
      const [kept, gone] = [2, 3].map(entry).map((one) => ({ ...one, ref: `of ${one.memoryId}` }));
      if (!kept || !gone) expect.fail('no entries');
      await appendToPostgres(
        temporary.postgres,
        [2, 3].map((number) => stored(number)),
      );
      let put: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await transaction.query('UPDATE subjects SET present = false WHERE subject = $1', [gone.memoryId]);
        await releaseMemories(transaction, [gone.memoryId]);
        put = putEntries(temporary.postgres, [kept, gone]);
        await lockWait();
      });
      await put;
      const { cache } = postgresRecords(temporary.postgres);
      expect([...(await cache.get([kept.ref, gone.ref])).keys()]).to.deep.equal([kept.ref]);
      const { rows } = await temporary.postgres.query('SELECT memory_id FROM embedding_uses ORDER BY memory_id');
      expect(rows).to.deep.equal([1, 2].map((number) => ({ memory_id: numberedId(number) })));
    });

    const marked = { ref: 'a', memoryId: numberedId(1), unusedSince: 1 };
    const isUsed = async () => (await temporary.postgres.query('SELECT FROM embedding_uses')).count === 1;

    it('keeps an unused vector that returns before its removal', async () => {
      await markUses(temporary.postgres, [marked], 1);
      let removed: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await putEntries(transaction, [entry(1)]);
        removed = temporary.postgres.transaction((other) => removeUses(other, [marked]));
        await lockWait();
      });
      await removed;
      expect([await references(), await isUsed()]).to.deep.equal([['a'], true]);
    });

    it('stores an unused vector again that returns during its removal', async () => {
      await markUses(temporary.postgres, [marked], 1);
      let taken: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await removeUses(transaction, [marked]);
        taken = putEntries(temporary.postgres, [entry(1)]);
        await lockWait();
      });
      await taken;
      expect([await references(), await isUsed()]).to.deep.equal([['a'], true]);
    });

    it('drops a vector that its last two users release together', async () => {
      await putEntries(temporary.postgres, [entry(2)]);
      let released: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await releaseMemories(transaction, [numberedId(2)]);
        released = release();
        await lockWait();
      });
      await released;
      expect(await references()).to.deep.equal([]);
    });
  });
}
