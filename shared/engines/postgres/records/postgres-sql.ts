/** Runs the statements of the records in Postgres, over the tables of these migrations. */
import type { Call, Dialect, Param, Row, Sql } from '../../sql/records/sql.js';
import { type Migrations, type Postgres, type Queryable, statement } from '../connection/postgres.js';

const DIALECT: Dialect = {
  now: 'clock_timestamp()',
  isIn: (column, param) => `${column} = ANY (${param})`,
  items: (param) => `unnest(${param}::text[]) AS item (value)`,
  isTrue: (column) => column,
  skipLocked: 'FOR UPDATE SKIP LOCKED',
};

export function createPostgresSql(postgres: Postgres, migrations: Migrations): Sql {
  async function run<R extends Row>(queryable: Queryable, [name, text, params = []]: Call): Promise<readonly R[]> {
    return (await queryable.query<R>(statement(migrations, name, text), params.map(withoutNul))).rows;
  }
  async function runAll<R extends Row>(queryable: Queryable, calls: readonly Call[]): Promise<(readonly R[])[]> {
    const results: (readonly R[])[] = [];
    for (const call of calls) results.push(await run<R>(queryable, call));
    return results;
  }
  return {
    dialect: DIALECT,
    read: (...call) => run(postgres, call),
    write: (...call) => run(postgres, call),
    transaction: (calls, { lock } = {}) =>
      // One statement is a transaction by itself.
      calls.length === 1 && lock === undefined
        ? runAll(postgres, calls)
        : postgres.transaction(async (transaction) => {
            if (lock !== undefined) await transaction.query(`LOCK TABLE ${lock} IN EXCLUSIVE MODE`);
            return runAll(transaction, calls);
          }),
  };
}

/** Postgres cannot store a NUL character in a text, and the reason of a failure may quote any text. */
function withoutNul(param: Param): Param {
  return typeof param === 'string' ? param.replaceAll('\u0000', '\uFFFD') : param;
}
