/** Projector states: one row for each instance with a recent heartbeat. */
import type { NewProjectorState, ProjectorState, ProjectorStates } from '../../../ports/journal.js';
import type { Call, Sql } from './sql.js';

/** Each engine stores the time of a heartbeat in its own way. `ageMs`: an expression for its age. */
export type Heartbeats = {
  readonly save: (state: NewProjectorState) => readonly Call[];
  readonly ageMs: string;
};

/** `saving`: saves the heartbeats, which need not be durable. */
export function createProjectorStates(sql: Sql, { save, ageMs }: Heartbeats, saving = sql): ProjectorStates {
  return {
    save: async (state) => void (await saving.transaction(save(state))),
    list: async () => {
      const text = `SELECT state, ${ageMs} AS age_ms FROM projector_states ORDER BY name, instance`;
      const rows = await sql.read<{ state: string; age_ms: number }>('list_heartbeats', text);
      return rows.map(({ state, age_ms: heartbeatAgeMs }) => ({
        ...(JSON.parse(state) as Omit<ProjectorState, 'heartbeatAgeMs'>),
        heartbeatAgeMs,
      }));
    },
    setPaused: async (name, paused) => {
      const pause = 'INSERT INTO paused_projectors (name) VALUES ($1) ON CONFLICT DO NOTHING';
      if (paused) await sql.write('pause_projector', pause, [name]);
      else await sql.write('resume_projector', 'DELETE FROM paused_projectors WHERE name = $1', [name]);
    },
    paused: async () => {
      const rows = await sql.read<{ name: string }>('list_paused', 'SELECT name FROM paused_projectors');
      return new Set(rows.map(({ name }) => name));
    },
  };
}
