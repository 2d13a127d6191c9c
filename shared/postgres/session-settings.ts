/**
 * What every connection sets before its first statement, so that the defaults of the server, the database or the role cannot weaken our
 * promises. `off` acknowledges a commit that a crash can lose; every other value of `synchronous_commit` stays as the operator chose it. Our
 * statements are written for READ COMMITTED: one that waited for a lock must see what the holder committed.
 */
export const SESSION_SETTINGS = `
  SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
