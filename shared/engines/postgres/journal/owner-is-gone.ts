/**
 * The SQL function `owner_is_gone(owner, patience_ms)`: true when the owner process has ended, was cut off or hangs.
 * Then its session has ended, and with it the advisory lock that marks a live owner. The function asks with a shared
 * lock, so that concurrent callers do not take each other for the owner. With patience it waits once for the session of
 * a process that was just killed: the retry of a client may arrive before the session ends.
 */
export const OWNER_IS_GONE = `
  CREATE FUNCTION owner_is_gone(owner uuid, patience_ms integer) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF pg_try_advisory_xact_lock_shared(hashtextextended(owner::text, 0)) THEN
      RETURN true;
    END IF;
    IF patience_ms = 0 THEN
      RETURN false;
    END IF;
    PERFORM pg_sleep(patience_ms / 1000.0);
    RETURN owner_is_gone(owner, 0);
  END
  $$;`;
