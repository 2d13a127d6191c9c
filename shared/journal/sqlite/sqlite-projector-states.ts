/** Projector states in SQLite: one row for each instance. */
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import { PROJECTOR_STATE_RETENTION_MS, type ProjectorState, type ProjectorStates } from '../journal.js';

export function createSqliteProjectorStates({ host }: { readonly host: SqliteHost }): ProjectorStates {
  return {
    save: (state) => host.write(saveState, state),
    list: async () => (await host.read(listStates, null)).map((text) => JSON.parse(text) as ProjectorState),
    setPaused: (name, paused) => host.write(savePaused, { name, paused }),
    paused: async () => new Set(await host.read(listPaused, null)),
  };
}

export const saveState = procedure(import.meta.url, 'saveState', (database, state: ProjectorState): void => {
  const silentSince = new Date(Date.parse(state.heartbeatAt) - PROJECTOR_STATE_RETENTION_MS).toISOString();
  database.run(`DELETE FROM projector_states WHERE name = ? AND json_extract(state, '$.heartbeatAt') < ?`, [
    state.name,
    silentSince,
  ]);
  database.run('INSERT OR REPLACE INTO projector_states (name, instance, state) VALUES (?, ?, ?)', [
    state.name,
    state.instance,
    JSON.stringify(state),
  ]);
});

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
