/** What each projector last told of itself, one row for each instance. */
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { ProjectorState, ProjectorStates } from '../journal.js';

export function createSqliteProjectorStates({ host }: { readonly host: SqliteHost }): ProjectorStates {
  return {
    save: (state) => host.write(saveState, state),
    list: async () => (await host.read(listStates, null)).map((text) => JSON.parse(text) as ProjectorState),
  };
}

export const saveState = procedure(import.meta.url, 'saveState', (database, state: ProjectorState): void => {
  database.run('INSERT OR REPLACE INTO projector_states (name, instance, state) VALUES (?, ?, ?)', [
    state.name, state.instance, JSON.stringify(state),
  ]);
});

export const listStates = procedure(import.meta.url, 'listStates', (database, _args: null): string[] =>
  database.all('SELECT state FROM projector_states ORDER BY name, instance').map((row) => row['state'] as string),
);
