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
  // The types of the rows are those of the statement.
  return {
    dialect: DIALECT,
    read: async <R extends Row>(...call: Call) => (await host.read(runStatement, bound(call))) as unknown as R[],
    write: async <R extends Row>(...call: Call) => (await host.write(runStatement, bound(call))) as unknown as R[],
    transaction: async <R extends Row>(calls: readonly Call[]) =>
      (await host.write(runStatements, calls.map(bound))) as unknown as R[][],
  };
}

type BoundStatement = { readonly text: string; readonly values: readonly SqlValue[] };

function valueOf(param: Param): SqlValue {
  if (typeof param === 'boolean') return Number(param);
  return typeof param === 'object' && param !== null ? JSON.stringify(param) : param;
}

export const runStatement = procedure(
  import.meta.url,
  'runStatement',
  (database, { text, values }: BoundStatement): SqlRow[] => database.all(text, values),
);

export const runStatements = procedure(
  import.meta.url,
  'runStatements',
  (database, statements: readonly BoundStatement[]): SqlRow[][] =>
    statements.map(({ text, values }) => database.all(text, values)),
);
