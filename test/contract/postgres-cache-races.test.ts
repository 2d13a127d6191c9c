/** One memory takes up a vector of the embedding cache while another lets go of it: whoever comes first, the vector stays. */
import { expect } from 'chai';
import { getEntries, putEntries, releaseMemories } from '../../shared/embedding/postgres/cache-entries.js';
import { numberedId } from '../support/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../support/postgres.js';
import { isServerWanted } from '../support/servers.js';
import { until } from '../support/until.js';

if (isServerWanted('postgres')) {
  describe('the embedding cache in Postgres under races', () => {
    let temporary: TemporaryPostgres;
    const entry = (number: number) => ({ ref: 'a', memoryId: numberedId(number), vector: Float32Array.of(1) });
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      await putEntries(temporary.postgres, [entry(1)]);
    });
    afterEach(() => temporary.remove());

    const somebodyWaits = () =>
      until('somebody waits for a lock', async () => {
        const { count } = await temporary.postgres.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return count > 0;
      });

    const release = () =>
      temporary.postgres.transaction((transaction) => releaseMemories(transaction, [numberedId(1)]));
    const references = async () => [...(await getEntries(temporary.postgres, ['a'])).keys()];

    it('keeps a vector that is taken up before the release', async () => {
      let released: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await putEntries(transaction, [entry(2)]);
        released = release();
        await somebodyWaits();
      });
      await released;
      expect(await references()).to.deep.equal(['a']);
    });

    it('keeps a vector that is taken up during the release', async () => {
      let taken: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await releaseMemories(transaction, [numberedId(1)]);
        taken = putEntries(temporary.postgres, [entry(2)]);
        await somebodyWaits();
      });
      await taken;
      expect(await references()).to.deep.equal(['a']);
    });

    it('drops a vector whose last two users let go of it at once', async () => {
      await putEntries(temporary.postgres, [entry(2)]);
      let released: Promise<void> | undefined;
      await temporary.postgres.transaction(async (transaction) => {
        await releaseMemories(transaction, [numberedId(2)]);
        released = release();
        await somebodyWaits();
      });
      await released;
      expect(await references()).to.deep.equal([]);
    });
  });
}
