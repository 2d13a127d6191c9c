/** One `pg` connection in use: it knows whether it is still worth anything, and its errors are ours. */
import type { ClientBase, QueryResult } from 'pg';
import { breaksConnection, translatePostgresError } from './postgres-errors.js';
import type { Result, Row, Statement } from './postgres.js';

export interface Connection {
  run<R extends Row>(call: StatementCall): Promise<Result<R>>;
  /** For COMMIT: answers the server's own word for what it did, and throws `pg`'s own errors. */
  runBare(text: string, timeoutMs: number): Promise<string>;
  /** Lost, or in a state nobody knows: to be closed, not used again. */
  readonly isBroken: () => boolean;
  readonly markBroken: () => void;
}

export type StatementCall = {
  readonly statement: Statement | string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
};

export function overClient(client: ClientBase): Connection {
  let isBroken = false;
  const markBroken = (): void => {
    isBroken = true;
  };

  return {
    run: async <R extends Row>({ statement, params, timeoutMs }: StatementCall): Promise<Result<R>> => {
      const prepared = typeof statement === 'string' ? { text: statement } : statement;
      try {
        // Not in the types of `pg`: a `query_timeout` for one statement, and a list of results for several statements.
        const config = { ...prepared, query_timeout: timeoutMs, ...(params.length > 0 ? { values: [...params] } : {}) };
        const answer = (await client.query<R>(config)) as QueryResult<R> | QueryResult<R>[];
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
      } catch (error) {
        if (breaksConnection(error)) markBroken();
        throw translatePostgresError(error);
      }
    },
    runBare: async (text, timeoutMs) => {
      const config = { text, query_timeout: timeoutMs };
      return (await client.query(config)).command;
    },
    isBroken: () => isBroken,
    markBroken,
  };
}
