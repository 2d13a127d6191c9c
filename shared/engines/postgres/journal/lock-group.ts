/**
 * The SQL function `lock_group(keys, wishes, leaving, most)`: locks everything that the decisions of a group of
 * commands depend on, and returns the state of the subjects. It locks keys of requests first, then memories, then
 * associations, each in order, so that groups never deadlock (with an order within each command only, 156 of 200 pairs
 * of groups did).
 *
 * `wishes` are lock requests: a subject and its lock mode. `fresh` inserts a missing subject at version 0, and so also
 * waits for a concurrent insert; `change` locks for an update; `keep` takes a shared lock, so that the subject stays
 * unchanged. `leaving` are memories that the group deletes: up to `most` of their associations are locked last and
 * returned as `ended`. Every other lock of an association includes both of its memories, so no association is added to
 * a deleted memory in the meantime.
 */
const lockGroup = (parameters: string, ends: string): string => `
  CREATE FUNCTION lock_group(${parameters})
  RETURNS TABLE (subject text, version integer, present boolean, ended boolean) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    wish record;
    held record;
  BEGIN
    PERFORM pg_advisory_xact_lock(sorted.number) FROM (SELECT hashtextextended(key, 1) AS number FROM unnest(keys) AS key ORDER BY 1) AS sorted;

    FOR wish IN
      SELECT given.subject, given.hold FROM json_to_recordset(wishes) AS given (subject text, hold text)
      ORDER BY strpos(given.subject, '|') > 0, given.subject COLLATE "C"
    LOOP
      IF wish.hold = 'fresh' THEN
        INSERT INTO subjects (subject, version, revision, present) VALUES (wish.subject, 0, 0, false) ON CONFLICT DO NOTHING;
      END IF;
      IF wish.hold = 'keep' THEN
        SELECT known.version, known.present INTO held FROM subjects AS known WHERE known.subject = wish.subject FOR SHARE;
      ELSE
        SELECT known.version, known.present INTO held FROM subjects AS known WHERE known.subject = wish.subject FOR UPDATE;
      END IF;
      CONTINUE WHEN NOT FOUND;
      RETURN QUERY SELECT wish.subject, held.version, held.present, false;
    END LOOP;

    IF cardinality(leaving) > 0 THEN
      RETURN QUERY
        SELECT known.subject, known.version, known.present, true FROM subjects AS known
        WHERE known.subject IN (${ends})
        ORDER BY known.subject COLLATE "C" FOR UPDATE;
    END IF;
  END
  $$;`;

const PARAMETERS = 'keys text[], wishes json, leaving text[]';
const ENDS = 'SELECT subject FROM association_ends WHERE memory_id = ANY (leaving)';

/** The function of the first release, without `most`. Its processes may still run next to later ones. */
export const LOCK_GROUP = lockGroup(PARAMETERS, ENDS);
export const LOCK_BOUNDED_GROUP = lockGroup(`${PARAMETERS}, most integer`, `${ENDS} LIMIT most`);
