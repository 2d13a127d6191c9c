/** What each projector last told of itself, one row for each instance. */
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import { PROJECTOR_STATE_LIFE_MS, type ProjectorState, type ProjectorStates } from '../journal.js';

export function createSqliteProjectorStates({ host }: { readonly host: SqliteHost }): ProjectorStates {
  return {
    save: (state) => host.write(saveState, state),
    list: async () => (await host.read(listStates, null)).map((text) => JSON.parse(text) as ProjectorState),
  };
}

export const saveState = procedure(import.meta.url, 'saveState', (database, state: ProjectorState): void => {
  const silentSince = new Date(Date.parse(state.heartbeatAt) - PROJECTOR_STATE_LIFE_MS).toISOString();
  database.run(`DELETE FROM projector_states WHERE name = ? AND json_extract(state, '$.heartbeatAt') < ?`, [state.name, silentSince]);
  database.run('INSERT OR REPLACE INTO projector_states (name, instance, state) VALUES (?, ?, ?)', [
    state.name, state.instance, JSON.stringify(state),
  ]);
});

export const listStates = procedure(import.meta.url, 'listStates', (database, _args: null): string[] =>
  database.all('SELECT state FROM projector_states ORDER BY name, instance').map((row) => row['state'] as string),
);
