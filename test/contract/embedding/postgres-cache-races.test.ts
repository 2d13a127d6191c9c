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
import { until } from '../../support/checks/until.js';
import { numberedId } from '../../support/fixtures/events.js';
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
