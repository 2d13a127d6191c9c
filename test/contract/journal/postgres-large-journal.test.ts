/**
 * What a restore and a rebuild of the graph ask of a large journal: no statement reads all of it, so none ends at the
 * limit of a statement. The limit and the journal are smaller than in production (10 s, millions of events) by the same
 * factor.
 */
import { expect } from 'chai';
import { createPostgresJournalLoader } from '../../../shared/engines/postgres/commit/loading/postgres-journal-loader.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const MEMORIES = Number(process.env['PALIMPSEST_LARGE_JOURNAL_MEMORIES'] ?? 150_000);
const DELETED_EVERY = 10;
const STATEMENT_MS = 1_000;
const FILL_MS = MEMORIES; // 25 s for 150,000 memories on an idle machine
/** Two events of each memory; the second one of some is a deletion. Positions have gaps. */
const FILL = [
  `INSERT INTO journal (position, event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, data)
   OVERRIDING SYSTEM VALUE
   SELECT 2 * number + version * ${2 * MEMORIES}, gen_random_uuid(),
     CASE WHEN version = 1 THEN 'memory.stored' WHEN number % ${DELETED_EVERY} = 0 THEN 'memory.deleted' ELSE 'memory.updated' END,
     1, 'memory-' || number, 'memory-' || number, version, version, '2026-01-01T00:00:00.000Z', 'test', 'request-' || number, '{}'
   FROM generate_series(1, ${MEMORIES}) AS number CROSS JOIN generate_series(1, 2) AS version`,
  `INSERT INTO subjects (subject, version, revision, present)
   SELECT 'memory-' || number, 2, 2, number % ${DELETED_EVERY} <> 0 FROM generate_series(1, ${MEMORIES}) AS number`,
];

if (isServerWanted('postgres')) {
  describe('large Postgres journal', function () {
    this.timeout(2 * FILL_MS);
    let temporary: TemporaryPostgres;
    let limited: Postgres;
    before(async () => {
      temporary = await openTemporaryPostgres();
      const filling = temporary.openAnother({ statementTimeoutMs: FILL_MS });
      for (const step of FILL) await filling.query(step);
      await filling.close();
      limited = temporary.openAnother({ statementTimeoutMs: STATEMENT_MS });
    });
    after(async () => {
      await limited?.close();
      await temporary?.remove();
    });

    it('estimates its subjects without reading them', async () => {
      await temporary.postgres.query("UPDATE pg_class SET reltuples = 12345678 WHERE oid = 'subjects'::regclass");
      expect(await createPostgresJournal({ postgres: limited }).estimateSubjects()).to.equal(12_345_678);
    });

    it('estimates its deleted subjects without reading them', async () => {
      await temporary.postgres.query('ANALYZE subjects');
      const { bytes, deletedSubjects } = await createPostgresJournal({ postgres: limited }).size();
      expect(bytes).to.be.above(100 * 2 * MEMORIES);
      expect(deletedSubjects).to.be.within(0.9 * (MEMORIES / DELETED_EVERY), 1.1 * (MEMORIES / DELETED_EVERY));
    });

    it('finishes a restore within the limit of a statement', async () => {
      await createPostgresJournalLoader({ postgres: limited }).finish();
      const { rows } = await temporary.postgres.query(
        `SELECT count(*) AS events, count(*) FILTER (WHERE data IS NULL) AS erased, (SELECT count(*) FROM outbox) AS queued,
           (SELECT last_value FROM journal_position_seq) = max(position) AS continues FROM journal`,
      );
      expect(rows).to.deep.equal([
        { events: 2 * MEMORIES, erased: MEMORIES / DELETED_EVERY, queued: 2 * MEMORIES, continues: true },
      ]);
    });
  });
}
