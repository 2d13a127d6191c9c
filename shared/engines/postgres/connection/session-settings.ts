/**
 * What every connection sets before its first statement. A statement and not start-up parameters, because poolers
 * refuse parameters that they do not know.
 *
 * The defaults of the server, the database or the role must not weaken our promises. `off` acknowledges a commit that a
 * crash can lose; every other value of `synchronous_commit` stays as the operator chose it. Our statements are written
 * for READ COMMITTED: one that waited for a lock must see what the holder committed.
 *
 * All our statements look rows up by an index. A table whose rows are nearly all dead, because a transaction with an
 * old snapshot such as a dump keeps them, looks small in the statistics and long in pages, and the planner then prefers
 * a scan of all pages (500,000 dead rows: 30 to 70 ms). `jit` is off because a plan with a scan that cannot be avoided
 * counts as very expensive, and would be compiled for 100 ms and more.
 */
export const SESSION_SETTINGS = `
  SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET enable_seqscan = off;
  SET jit = off;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
