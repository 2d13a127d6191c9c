/** One `pg` connection in use. It translates errors and knows whether the connection is still usable. */
import type { ClientBase, QueryResult } from 'pg';
import type { Result, Row, Statement } from './postgres.js';
import { isConnectionUnusable, translatePostgresError } from './postgres-errors.js';

export interface Connection {
  run<R extends Row>(call: StatementCall): Promise<Result<R>>;
  /**
   * For COMMIT: returns the result of each statement, with the command that the server reports. Throws the untranslated
   * errors of `pg`.
   */
  runBare<R extends Row>(text: string, timeoutMs: number): Promise<readonly QueryResult<R>[]>;
  /** True when the connection is lost or its state is unknown. It must then be closed. */
  readonly isBroken: () => boolean;
  readonly markBroken: () => void;
}

export type StatementCall = {
  readonly statement: Statement | string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
};

export function createConnection(client: ClientBase): Connection {
  let isBroken = false;
  const markBroken = (): void => {
    isBroken = true;
  };

  return {
    run: async <R extends Row>({ statement, params, timeoutMs }: StatementCall): Promise<Result<R>> => {
      const prepared = typeof statement === 'string' ? { text: statement } : statement;
      try {
        // The types of `pg` lack `query_timeout` for one statement and the list of results of several statements.
        const config = { ...prepared, query_timeout: timeoutMs, ...(params.length > 0 ? { values: [...params] } : {}) };
        const answer = (await client.query<R>(config)) as QueryResult<R> | QueryResult<R>[];
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
      } catch (error) {
        if (isConnectionUnusable(error)) markBroken();
        throw translatePostgresError(error);
      }
    },
    runBare: async <R extends Row>(text: string, timeoutMs: number) => {
      const config = { text, query_timeout: timeoutMs };
      const answer = (await client.query<R>(config)) as QueryResult<R> | QueryResult<R>[];
      return Array.isArray(answer) ? answer : [answer];
    },
    isBroken: () => isBroken,
    markBroken,
  };
}
