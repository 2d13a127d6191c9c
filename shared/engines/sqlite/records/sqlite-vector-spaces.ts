/** The vector spaces in SQLite. One process is the whole deployment, so it alone follows the active space. */
import { RuleError } from '../../../kernel/errors.js';
import { activeSpaceError, otherSpaceError, unknownSpaceError } from '../../../ports/space-errors.js';
import type { SpaceFollower, SpaceState, VectorSpace, VectorSpaces } from '../../../ports/vector-spaces.js';
import { spaceOfRow, type SpaceRow } from '../../sql/space-of-row.js';
import type { Database } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteVectorSpaces({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'write'>;
}): VectorSpaces {
  const followers = new Map<string, SpaceFollower>();
  return {
    list: () => host.read(listSpaces, null),
    active: async () => (await host.read(listSpaces, null)).find(({ state }) => state === 'active') ?? null,
    begin: (first) => host.write(beginSpace, first),
    build: async (space) => (await host.write(buildSpace, space)) ?? otherSpace(),
    advance: (number, position) => host.write(advanceSpace, { number, position }),
    activate: async (number, position) => {
      const outcome = await host.write(activateSpace, { number, position });
      if (!outcome.isFound) throw unknownSpaceError(number);
      return { dropped: outcome.dropped };
    },
    drop: async (number) => {
      if (!(await host.write(dropSpace, number))) throw activeSpaceError(number);
    },
    report: async (instance, number) => void followers.set(instance, { instance, number }),
    followers: async () => [...followers.values()],
  };
}

function otherSpace(): never {
  throw otherSpaceError();
}

type NewSpace = Pick<VectorSpace, 'model' | 'dimension' | 'target'> & { readonly position?: number };

export const listSpaces = procedure(import.meta.url, 'listSpaces', (database, _args: null): VectorSpace[] =>
  database.all('SELECT * FROM vector_spaces ORDER BY number').map((row) => spaceOfRow(row as SpaceRow)),
);

export const beginSpace = procedure(
  import.meta.url,
  'beginSpace',
  (database, first: NewSpace): VectorSpace => ofState(database, 'active') ?? insert(database, 'active', first),
);

export const buildSpace = procedure(import.meta.url, 'buildSpace', (database, space: NewSpace): VectorSpace | null =>
  ofState(database, 'building') === null ? insert(database, 'building', space) : null,
);

type Place = { readonly number: number; readonly position: number };

export const advanceSpace = procedure(
  import.meta.url,
  'advanceSpace',
  (database, { number, position }: Place): void => {
    database.run('UPDATE vector_spaces SET position = max(position, ?) WHERE number = ?', [position, number]);
  },
);

export const activateSpace = procedure(
  import.meta.url,
  'activateSpace',
  (database, { number, position }: Place): { readonly isFound: boolean; readonly dropped: VectorSpace | null } => {
    const [active, previous] = [ofState(database, 'active'), ofState(database, 'previous')];
    const isFound = database.get('SELECT 1 FROM vector_spaces WHERE number = ?', [number]) !== undefined;
    if (!isFound || active?.number === number) return { isFound, dropped: null };
    const dropped = previous === null || previous.number === number ? null : previous;
    if (dropped) database.run('DELETE FROM vector_spaces WHERE number = ?', [dropped.number]);
    // Three steps, because two spaces never have the same state.
    database.run(`UPDATE vector_spaces SET state = 'next' WHERE number = ?`, [number]);
    if (active)
      database.run(`UPDATE vector_spaces SET state = 'previous', position = ? WHERE number = ?`, [
        position,
        active.number,
      ]);
    database.run(`UPDATE vector_spaces SET state = 'active' WHERE number = ?`, [number]);
    return { isFound: true, dropped };
  },
);

/** False for the active space, which stays. */
export const dropSpace = procedure(import.meta.url, 'dropSpace', (database, number: number): boolean => {
  if (ofState(database, 'active')?.number === number) return false;
  database.run('DELETE FROM vector_spaces WHERE number = ?', [number]);
  return true;
});

function ofState(database: Database, state: SpaceState): VectorSpace | null {
  const row = database.get('SELECT * FROM vector_spaces WHERE state = ?', [state]);
  return row === undefined ? null : spaceOfRow(row as SpaceRow);
}

function insert(database: Database, state: SpaceState, space: NewSpace): VectorSpace {
  const { model, dimension, target, position = 0 } = space;
  const row = database.get(
    'INSERT INTO vector_spaces (state, model, dimension, target, position) VALUES (?, ?, ?, ?, ?) RETURNING *',
    [state, model, dimension, target === null ? null : JSON.stringify(target), position],
  );
  if (row === undefined) throw new RuleError('The new vector space has no row');
  return spaceOfRow(row as SpaceRow);
}
