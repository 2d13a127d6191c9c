/** Projector states in SQLite: one row for each instance. */
import { type Clock, formatTimestamp, systemClock } from '../../../kernel/clock.js';
import {
  type NewProjectorState,
  PROJECTOR_STATE_RETENTION_MS,
  type ProjectorState,
  type ProjectorStates,
} from '../../../ports/journal.js';
import { procedure, type SqliteHost } from '../threads/host.js';

type SavedState = Omit<ProjectorState, 'heartbeatAgeMs'>;

export function createSqliteProjectorStates({
  host,
  clock = systemClock,
}: {
  readonly host: SqliteHost;
  readonly clock?: Clock;
}): ProjectorStates {
  return {
    save: (state) => host.write(saveState, { state, nowMs: clock.now().getTime() }),
    list: async () => {
      const texts = await host.read(listStates, null);
      const nowMs = clock.now().getTime();
      return texts.map((text) => {
        const saved = JSON.parse(text) as SavedState;
        return { ...saved, heartbeatAgeMs: nowMs - Date.parse(saved.heartbeatAt) };
      });
    },
    setPaused: (name, paused) => host.write(savePaused, { name, paused }),
    paused: async () => new Set(await host.read(listPaused, null)),
  };
}

export const saveState = procedure(
  import.meta.url,
  'saveState',
  (database, { state, nowMs }: { readonly state: NewProjectorState; readonly nowMs: number }): void => {
    const now = formatTimestamp(new Date(nowMs));
    const silentSince = formatTimestamp(new Date(nowMs - PROJECTOR_STATE_RETENTION_MS));
    database.run(`DELETE FROM projector_states WHERE name = ? AND json_extract(state, '$.heartbeatAt') < ?`, [
      state.name,
      silentSince,
    ]);
    database.run(
      `UPDATE projector_states SET state = json_set(state, '$.heartbeatAt', ?) WHERE name = ? AND json_extract(state, '$.heartbeatAt') > ?`,
      [now, state.name, now],
    );
    database.run('INSERT OR REPLACE INTO projector_states (name, instance, state) VALUES (?, ?, ?)', [
      state.name,
      state.instance,
      JSON.stringify({ ...state, heartbeatAt: now } satisfies SavedState),
    ]);
  },
);

export const listStates = procedure(import.meta.url, 'listStates', (database, _args: null): string[] =>
  database.all('SELECT state FROM projector_states ORDER BY name, instance').map((row) => row['state'] as string),
);

export const savePaused = procedure(
  import.meta.url,
  'savePaused',
  (database, { name, paused }: { readonly name: string; readonly paused: boolean }): void => {
    database.run(
      paused
        ? 'INSERT OR IGNORE INTO paused_projectors (name) VALUES (?)'
        : 'DELETE FROM paused_projectors WHERE name = ?',
      [name],
    );
  },
);

export const listPaused = procedure(import.meta.url, 'listPaused', (database, _args: null): string[] =>
  database.all('SELECT name FROM paused_projectors').map(({ name }) => String(name)),
);
