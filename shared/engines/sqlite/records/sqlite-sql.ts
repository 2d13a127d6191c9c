/** Runs the statements of the records in SQLite. The statements of one call run in the thread of the database. */
import { type Clock, formatTimestamp } from '../../../kernel/clock.js';
import type { Call, Dialect, Param, Row, Sql } from '../../sql/records/sql.js';
import type { SqlRow, SqlValue } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';

/** `$now` is a parameter that `bound` adds. */
const DIALECT: Dialect = {
  now: '$now',
  isIn: (column, param) => `${column} IN (SELECT value FROM json_each(${param}))`,
  items: (param) => `json_each(${param})`,
  isTrue: (column) => `${column} = 1`,
  skipLocked: '', // there is one writer
};

export function createSqliteSql(host: Pick<SqliteHost, 'read' | 'write'>, clock: Clock): Sql {
  function bound([, text, params = []]: Call): BoundStatement {
    const values = params.map(valueOf);
    const number = values.length + 1;
    return {
      text: text.replaceAll(/\$(\d+|now)/gu, (_, name) => `?${name === 'now' ? number : name}`),
      values: text.includes('$now') ? [...values, formatTimestamp(clock.now())] : values,
    };
  }
  return {
    dialect: DIALECT,
    read: async <R extends Row>(...call: Call) => rowsOf<R>(await host.read(runStatements, [bound(call)]))[0] ?? [],
    write: async <R extends Row>(...call: Call) => rowsOf<R>(await host.write(runStatements, [bound(call)]))[0] ?? [],
    transaction: async <R extends Row>(calls: readonly Call[]) =>
      rowsOf<R>(await host.write(runStatements, calls.map(bound))),
  };
}

type BoundStatement = { readonly text: string; readonly values: readonly SqlValue[] };

/** The statement decides the type of its rows. */
function rowsOf<R extends Row>(results: readonly SqlRow[][]): readonly (readonly R[])[] {
  return results as unknown as R[][];
}

function valueOf(param: Param): SqlValue {
  if (typeof param === 'boolean') return Number(param);
  return typeof param === 'object' && param !== null ? JSON.stringify(param) : param;
}

export const runStatements = procedure(
  import.meta.url,
  'runStatements',
  (database, statements: readonly BoundStatement[]): SqlRow[][] =>
    statements.map(({ text, values }) => database.all(text, values)),
);
