/** Projector states in Postgres: one row for each instance with a recent heartbeat. */
import { PROJECTOR_STATE_RETENTION_MS, type ProjectorState, type ProjectorStates } from '../../../ports/journal.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

/**
 * Parameters: name, instance, state, retention in ms. The heartbeat is a time of the database; it is also in the JSON, where earlier releases
 * read it. SKIP LOCKED, because another instance may be saving its own row.
 */
const SAVE = statement(
  journalMigrations,
  'save_heartbeat',
  `WITH silent AS (
     DELETE FROM projector_states WHERE name = $1 AND instance <> $2 AND heartbeat_at < clock_timestamp() - $4::integer * interval '1 millisecond'
   ), ahead AS (
     UPDATE projector_states SET heartbeat_at = clock_timestamp() WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM projector_states WHERE name = $1 AND instance <> $2 AND heartbeat_at > clock_timestamp() FOR UPDATE SKIP LOCKED
     ))
   ), heartbeat AS (
     SELECT clock_timestamp() AS at
   )
   INSERT INTO projector_states (name, instance, state, heartbeat_at)
   SELECT $1, $2, left($3, -1) || ',"heartbeatAt":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') || '"}', at FROM heartbeat
   ON CONFLICT (name, instance) DO UPDATE SET state = excluded.state, heartbeat_at = excluded.heartbeat_at`,
);
const LIST = statement(
  journalMigrations,
  'list_heartbeats',
  `SELECT state, (extract(epoch FROM clock_timestamp() - heartbeat_at) * 1000)::float8 AS age_ms
   FROM projector_states ORDER BY name, instance`,
);
const PAUSE = statement(
  journalMigrations,
  'pause_projector',
  'INSERT INTO paused_projectors (name) VALUES ($1) ON CONFLICT DO NOTHING',
);
const RESUME = statement(journalMigrations, 'resume_projector', 'DELETE FROM paused_projectors WHERE name = $1');
const PAUSED = statement(journalMigrations, 'list_paused', 'SELECT name FROM paused_projectors');

export function createPostgresProjectorStates({ postgres }: { readonly postgres: Postgres }): ProjectorStates {
  return {
    save: async (state) => {
      await postgres.query(SAVE, [state.name, state.instance, JSON.stringify(state), PROJECTOR_STATE_RETENTION_MS]);
    },
    list: async () => {
      const { rows } = await postgres.query<{ state: string; age_ms: number }>(LIST);
      return rows.map(({ state, age_ms: heartbeatAgeMs }) => ({
        ...(JSON.parse(state) as Omit<ProjectorState, 'heartbeatAgeMs'>),
        heartbeatAgeMs,
      }));
    },
    setPaused: async (name, paused) => {
      await postgres.query(paused ? PAUSE : RESUME, [name]);
    },
    paused: async () => new Set((await postgres.query<{ name: string }>(PAUSED)).rows.map(({ name }) => name)),
  };
}
