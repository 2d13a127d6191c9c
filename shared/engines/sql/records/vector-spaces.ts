/** The vector spaces: a table with at most three rows. Each change of a state locks it. */
import {
  activeSpaceError,
  type EmbeddingTarget,
  otherSpaceError,
  type SpaceState,
  unknownSpaceError,
  type VectorSpace,
  type VectorSpaces,
} from '../../../ports/vector-spaces.js';
import type { Call, Sql } from './sql.js';

/**
 * What differs between the engines: the followers, and the expressions for the number of the first and of a later
 * space.
 */
export type SpaceEngine = Pick<VectorSpaces, 'report' | 'followers'> & {
  readonly firstNumber: string;
  readonly nextNumber: string;
};

const LOCKED = { lock: 'vector_spaces' } as const;
const HAS_NEXT = "EXISTS (SELECT 1 FROM vector_spaces WHERE state = 'next')";

export function createVectorSpaces(
  sql: Sql,
  { firstNumber, nextNumber, report, followers }: SpaceEngine,
): VectorSpaces {
  const list = async (): Promise<readonly VectorSpace[]> =>
    (await sql.read<SpaceRow>('list_spaces', 'SELECT * FROM vector_spaces ORDER BY number')).map(spaceOfRow);

  return {
    list,
    active: async () => (await list()).find(({ state }) => state === 'active') ?? null,
    begin: async (first) => {
      const active: Call = ['active_space', "SELECT * FROM vector_spaces WHERE state = 'active'"];
      const [, [row] = []] = await sql.transaction<SpaceRow>([insert('active', firstNumber, first), active], LOCKED);
      if (row === undefined) throw new Error('There is no active vector space after the first one began');
      return spaceOfRow(row);
    },
    build: async (space) => {
      const [[row] = []] = await sql.transaction<SpaceRow>([insert('building', nextNumber, space)], LOCKED);
      if (row === undefined) throw otherSpaceError();
      return spaceOfRow(row);
    },
    advance: async (number, position) => {
      const text = 'UPDATE vector_spaces SET position = $2 WHERE number = $1 AND position < $2';
      await sql.write('advance_space', text, [number, position]);
    },
    activate: async (number, position) => {
      const [, [dropped] = [], , , [found] = []] = await sql.transaction<SpaceRow>(
        [
          // `next` until the end of the transaction, because two spaces never have the same state.
          ['choose_next', "UPDATE vector_spaces SET state = 'next' WHERE number = $1 AND state <> 'active'", [number]],
          ['drop_previous', `DELETE FROM vector_spaces WHERE state = 'previous' AND ${HAS_NEXT} RETURNING *`],
          [
            'keep_active',
            `UPDATE vector_spaces SET state = 'previous', position = $1 WHERE state = 'active' AND ${HAS_NEXT}`,
            [position],
          ],
          ['activate_next', "UPDATE vector_spaces SET state = 'active' WHERE state = 'next'"],
          ['find_space', 'SELECT * FROM vector_spaces WHERE number = $1', [number]],
        ],
        LOCKED,
      );
      if (found === undefined) throw unknownSpaceError(number);
      return { dropped: dropped ? spaceOfRow(dropped) : null };
    },
    drop: async (number) => {
      const [, [active] = []] = await sql.transaction(
        [
          ['drop_space', "DELETE FROM vector_spaces WHERE number = $1 AND state <> 'active'", [number]],
          ['find_space', 'SELECT * FROM vector_spaces WHERE number = $1', [number]],
        ],
        LOCKED,
      );
      if (active) throw activeSpaceError(number);
    },
    report,
    followers,
  };
}

type NewSpace = Pick<VectorSpace, 'model' | 'dimension' | 'target'> & { readonly position?: number };

/** Returns the new row, or no row if a space has this state. */
function insert(state: SpaceState, number: string, { model, dimension, target, position = 0 }: NewSpace): Call {
  return [
    `insert_${state}_space`,
    `INSERT INTO vector_spaces (number, state, model, dimension, target, position)
     SELECT ${number}, '${state}', $1, $2, $3, $4
     WHERE NOT EXISTS (SELECT 1 FROM vector_spaces WHERE state = '${state}') RETURNING *`,
    [model, dimension, target === null ? null : JSON.stringify(target), position],
  ];
}

type SpaceRow = {
  readonly number: number;
  readonly state: string;
  readonly model: string;
  readonly dimension: number;
  /** JSON. */
  readonly target: string | null;
  readonly position: number;
};

/** The casts are safe because only these statements write the columns. */
function spaceOfRow(row: SpaceRow): VectorSpace {
  return {
    ...row,
    state: row.state as SpaceState,
    target: row.target === null ? null : (JSON.parse(row.target) as EmbeddingTarget),
  };
}
