/** Heartbeats in Postgres: times of the database, in a column of their own. */
import { PROJECTOR_STATE_RETENTION_MS } from '../../../ports/journal.js';
import type { Heartbeats } from '../../sql/records/projector-states.js';

/**
 * Parameters: name, instance, state, retention in ms. The time is also in the JSON, where earlier releases read it. One
 * statement, so that a heartbeat costs one round trip. SKIP LOCKED, because another instance may be saving its own row.
 */
const SAVE = `WITH silent AS (
    DELETE FROM projector_states
    WHERE name = $1 AND instance <> $2 AND heartbeat_at < clock_timestamp() - $4::integer * interval '1 millisecond'
  ), ahead AS (
    UPDATE projector_states SET heartbeat_at = clock_timestamp() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM projector_states
      WHERE name = $1 AND instance <> $2 AND heartbeat_at > clock_timestamp() FOR UPDATE SKIP LOCKED
    ))
  ), heartbeat AS (
    SELECT clock_timestamp() AS at
  )
  INSERT INTO projector_states (name, instance, state, heartbeat_at)
  SELECT $1, $2, left($3, -1) || ',"heartbeatAt":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') || '"}', at
  FROM heartbeat
  ON CONFLICT (name, instance) DO UPDATE SET state = excluded.state, heartbeat_at = excluded.heartbeat_at`;

export const POSTGRES_HEARTBEATS: Heartbeats = {
  save: (state) => [
    ['save_heartbeat', SAVE, [state.name, state.instance, JSON.stringify(state), PROJECTOR_STATE_RETENTION_MS]],
  ],
  ageMs: '(extract(epoch FROM clock_timestamp() - heartbeat_at) * 1000)::float8',
};
