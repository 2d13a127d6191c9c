/**
 * `owner_is_gone(owner, patience_ms)`: whether the process of that name has ended, was cut off or stands still: then its session has ended,
 * and with it the advisory lock that says it lives. Asked by a shared lock, so that those who ask do not take each other for the owner. With
 * patience one that was just killed is waited for: its client may be faster here than the end of its session.
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
