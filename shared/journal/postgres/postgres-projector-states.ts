/** Projector states in Postgres: one row for each instance with a recent heartbeat. */
import { type Postgres, statement } from '../../postgres/postgres.js';
import { PROJECTOR_STATE_RETENTION_MS, type ProjectorState, type ProjectorStates } from '../journal.js';
import { journalMigrations } from './migrations.js';

const SAVE = statement(
  journalMigrations,
  'save_state',
  `WITH silent AS (
     DELETE FROM projector_states WHERE name = $1 AND instance <> $2 AND heartbeat_at < $4::timestamptz - $5::integer * interval '1 millisecond'
   )
   INSERT INTO projector_states (name, instance, state, heartbeat_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (name, instance) DO UPDATE SET state = excluded.state, heartbeat_at = excluded.heartbeat_at`,
);
const LIST = statement(journalMigrations, 'list_states', 'SELECT state FROM projector_states ORDER BY name, instance');
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
      await postgres.query(SAVE, [
        state.name,
        state.instance,
        JSON.stringify(state),
        state.heartbeatAt,
        PROJECTOR_STATE_RETENTION_MS,
      ]);
    },
    list: async () => {
      const { rows } = await postgres.query<{ state: string }>(LIST);
      return rows.map(({ state }) => JSON.parse(state) as ProjectorState);
    },
    setPaused: async (name, paused) => {
      await postgres.query(paused ? PAUSE : RESUME, [name]);
    },
    paused: async () => new Set((await postgres.query<{ name: string }>(PAUSED)).rows.map(({ name }) => name)),
  };
}
