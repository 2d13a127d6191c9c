/** The vector spaces in Postgres. Each change locks the table, which has at most three rows. */
import { activeSpaceError, otherSpaceError, unknownSpaceError } from '../../../ports/space-errors.js';
import {
  FOLLOWER_LIVE_MS,
  type SpaceFollower,
  type VectorSpace,
  type VectorSpaces,
} from '../../../ports/vector-spaces.js';
import { spaceOfRow, type SpaceRow } from '../../sql/space-of-row.js';
import { type Postgres, type Queryable, type Statement, statement } from '../connection/postgres.js';
import { spaceMigrations } from '../schema/vector-spaces.js';

const COLUMNS = 'number, state, model, dimension, target, position';
const LOCK = statement(spaceMigrations, 'lock_spaces', 'LOCK TABLE vector_spaces IN EXCLUSIVE MODE');
const LIST = statement(spaceMigrations, 'list_spaces', `SELECT ${COLUMNS} FROM vector_spaces ORDER BY number`);
const BEGIN = statement(
  spaceMigrations,
  'begin_spaces',
  `INSERT INTO vector_spaces (number, state, model, dimension, target, position)
   VALUES (1, 'active', $1, $2, $3, 0) RETURNING ${COLUMNS}`,
);
const BUILD = statement(
  spaceMigrations,
  'build_space',
  `INSERT INTO vector_spaces (number, state, model, dimension, target, position)
   VALUES (nextval('vector_space_numbers'), 'building', $1, $2, $3, $4) RETURNING ${COLUMNS}`,
);
const ADVANCE = statement(
  spaceMigrations,
  'advance_space',
  'UPDATE vector_spaces SET position = greatest(position, $2) WHERE number = $1',
);
const DROP = statement(spaceMigrations, 'drop_space', 'DELETE FROM vector_spaces WHERE number = $1');
const ACTIVATE = statement(
  spaceMigrations,
  'activate_space',
  `UPDATE vector_spaces
   SET state = CASE WHEN number = $1 THEN 'active' ELSE 'previous' END,
       position = CASE WHEN number = $1 THEN position ELSE $2 END
   WHERE number = $1 OR state = 'active'`,
);
const REPORT = statement(
  spaceMigrations,
  'report_follower',
  `INSERT INTO vector_space_followers (instance, number, at) VALUES ($1, $2, clock_timestamp())
   ON CONFLICT (instance) DO UPDATE SET number = excluded.number, at = excluded.at`,
);
const FORGET = statement(
  spaceMigrations,
  'forget_followers',
  `DELETE FROM vector_space_followers WHERE at < clock_timestamp() - $1 * interval '1 millisecond'`,
);
const FOLLOWERS = statement(
  spaceMigrations,
  'list_followers',
  `SELECT instance, number FROM vector_space_followers
   WHERE at >= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY instance`,
);

export function createPostgresVectorSpaces({ postgres }: { readonly postgres: Postgres }): VectorSpaces {
  const locked = <R>(work: (transaction: Queryable, known: readonly VectorSpace[]) => Promise<R>): Promise<R> =>
    postgres.transaction(async (transaction) => {
      await transaction.query(LOCK, []);
      return work(transaction, await list(transaction));
    });
  return {
    list: () => list(postgres),
    active: async () => ofState(await list(postgres), 'active'),
    begin: (first) =>
      locked(async (transaction, known) => ofState(known, 'active') ?? insert(transaction, BEGIN, first)),
    build: (space) =>
      locked(async (transaction, known) => {
        if (ofState(known, 'building') !== null) throw otherSpaceError();
        return insert(transaction, BUILD, space);
      }),
    advance: async (number, position) => void (await postgres.query(ADVANCE, [number, position])),
    activate: (number, position) =>
      locked(async (transaction, known) => {
        const next = known.find((space) => space.number === number);
        if (next === undefined) throw unknownSpaceError(number);
        if (next.state === 'active') return { dropped: null };
        const previous = ofState(known, 'previous');
        const dropped = previous?.number === number ? null : previous;
        if (dropped) await transaction.query(DROP, [dropped.number]);
        await transaction.query(ACTIVATE, [number, position]);
        return { dropped };
      }),
    drop: (number) =>
      locked(async (transaction, known) => {
        if (ofState(known, 'active')?.number === number) throw activeSpaceError(number);
        await transaction.query(DROP, [number]);
      }),
    report: async (instance, number) => {
      await postgres.query(REPORT, [instance, number]);
      await postgres.query(FORGET, [FOLLOWER_LIVE_MS]);
    },
    followers: async () => (await postgres.query<SpaceFollower>(FOLLOWERS, [FOLLOWER_LIVE_MS])).rows,
  };
}

type NewSpace = Pick<VectorSpace, 'model' | 'dimension' | 'target'> & { readonly position?: number };

async function list(queryable: Queryable): Promise<readonly VectorSpace[]> {
  return (await queryable.query<SpaceRow>(LIST, [])).rows.map(spaceOfRow);
}

async function insert(
  transaction: Queryable,
  inserting: Statement,
  { model, dimension, target, position }: NewSpace,
): Promise<VectorSpace> {
  const values = [model, dimension, target === null ? null : JSON.stringify(target)];
  const { rows } = await transaction.query<SpaceRow>(
    inserting,
    position === undefined ? values : [...values, position],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('INSERT returned no row');
  return spaceOfRow(row);
}

function ofState(spaces: readonly VectorSpace[], state: VectorSpace['state']): VectorSpace | null {
  return spaces.find((space) => space.state === state) ?? null;
}
