/**
 * Dead rows in the outbox that Postgres cannot remove: a transaction holds an old snapshot, as a dump does, while many
 * events are committed, applied and published.
 */
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import type { TemporaryPostgres } from '../servers/postgres.js';

/** The blocks that autovacuum visits would count as visits of the calls. */
const WITHOUT_AUTOVACUUM =
  'ALTER TABLE outbox SET (autovacuum_enabled = false); ALTER TABLE outbox_pending SET (autovacuum_enabled = false)';
const HOLD = 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM outbox';
/** The events of one key, which pass through both tables. */
const PASS = `
  INSERT INTO journal (event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, data)
    SELECT gen_random_uuid(), 'memory.updated', 1, 'passed', 'passed', number, number, '', '{}', '', null FROM generate_series(1, %) AS number;
  INSERT INTO outbox (position) SELECT position FROM journal WHERE subject = 'passed';
  INSERT INTO outbox_pending (position, partition_key, subject, command_id, owner, lease_until)
    SELECT position, 'passed', subject, gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour' FROM journal WHERE subject = 'passed';
  DELETE FROM outbox_pending WHERE subject = 'passed';
  DELETE FROM outbox WHERE position IN (SELECT position FROM journal WHERE subject = 'passed');
  ANALYZE outbox; ANALYZE outbox_pending; ANALYZE journal`;
const FLUSH = 'SELECT pg_stat_force_next_flush()';
const VISITED = `
  SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)) AS blocks
  FROM pg_statio_user_tables WHERE relname IN ('outbox', 'outbox_pending')`;

/** Returns a function that ends the snapshot. */
export async function holdDeadRows(temporary: TemporaryPostgres, count: number): Promise<() => Promise<void>> {
  await temporary.postgres.query(WITHOUT_AUTOVACUUM);
  const holder = await temporary.openAnother({ idleTransactionTimeoutMs: 600_000 }).session();
  await holder.query(HOLD);
  const writer = temporary.openAnother({ statementTimeoutMs: 120_000 });
  await writer.query(PASS.replace('%', String(count)));
  await writer.close();
  return () => holder.close();
}

/**
 * The blocks of both tables and their indexes that the call visits. The host must have one connection. Needs Postgres
 * 15.
 */
export async function blocksVisited(postgres: Postgres, call: () => Promise<unknown>): Promise<number> {
  const visited = async (): Promise<number> => {
    await postgres.query(FLUSH);
    return Number((await postgres.query<{ blocks: string }>(VISITED)).rows[0]?.blocks);
  };
  const before = await visited();
  await call();
  return (await visited()) - before;
}
