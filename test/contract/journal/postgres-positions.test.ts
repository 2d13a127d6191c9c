/** Why one bigint is a safe cursor: no event appears at or below a position that a reader has passed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { APPEND, eventsToAppend } from '../../../shared/engines/postgres/journal/event-rows.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { until } from '../../support/checks/until.js';
import { stored } from '../../support/fixtures/events.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const WRITERS = 8;
const APPENDS = 40;
const LARGEST_GROUP = 4;

if (isServerWanted('postgres')) {
  describe('Postgres journal positions', () => {
    let temporary: TemporaryPostgres;
    beforeEach(async () => (temporary = await openTemporaryPostgres()));
    afterEach(() => temporary.remove());

    /** Appends a group, and sometimes delays the COMMIT or rolls back. */
    async function write(writer: number): Promise<readonly number[]> {
      const random = seededRandom(writer);
      const committed: number[] = [];
      for (let append = 0; append < APPENDS; append++) {
        const first = 1 + (writer * APPENDS + append) * LARGEST_GROUP;
        const events = Array.from({ length: 1 + random.below(LARGEST_GROUP) }, (_, index) => ({
          event: stored(first + index),
          commandId: randomUUID(),
        }));
        const fate = random.next();
        await temporary.postgres
          .transaction(async (transaction) => {
            const { rows } = await transaction.query<{ position: number }>(APPEND, [
              eventsToAppend(events),
              randomUUID(),
              5_000,
            ]);
            const positions = rows.map(({ position }) => position);
            if (fate < 0.2) throw new Error('rolled back');
            await transaction.query('SELECT pg_sleep($1)', [0.004 * fate]);
            committed.push(...positions);
          })
          .catch((error: Error) => expect(error.message).to.equal('rolled back'));
      }
      return committed;
    }

    it('are a safe cursor while many writers append', async () => {
      const journal = createPostgresJournal({ postgres: temporary.postgres });
      const seen: number[] = [];
      const step = async (): Promise<number> => {
        const events = await journal.read({ after: seen.at(-1) ?? 0, limit: 10 });
        seen.push(...events.map(({ position }) => position));
        return events.length;
      };
      let isWritten = false;
      const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(
        () => (isWritten = true),
      );
      const reading = until('everything is written and read', async () => (await step()) === 0 && isWritten);
      const written = (await writing).flat().sort((one, other) => one - other);
      await reading;
      while ((await step()) > 0);
      expect(seen).to.deep.equal(written);
    });

    it('are consecutive in the order of the events of a call', async () => {
      const events = [3, 1, 2].map((number) => ({ event: stored(number), commandId: randomUUID() }));
      const { rows } = await temporary.postgres.query<{ position: number }>(APPEND, [
        eventsToAppend(events),
        randomUUID(),
        5_000,
      ]);
      expect(rows.map(({ position }) => position)).to.deep.equal([1, 2, 3]);
      const read = await createPostgresJournal({ postgres: temporary.postgres }).read({ after: 0, limit: 10 });
      expect(read.map(({ id }) => id)).to.deep.equal(events.map(({ event }) => event.id));
    });
  });
}
