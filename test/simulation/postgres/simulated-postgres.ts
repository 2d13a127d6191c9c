/**
 * The `Postgres` interface of one process over the simulated server. Transactions run through `runTransaction` of
 * production, and errors through its translation.
 */
import type { QueryResult } from 'pg';
import type { Connection, StatementCall } from '../../../shared/engines/postgres/connection/connection.js';
import type {
  Postgres,
  Result,
  Row,
  Session,
  Statement,
} from '../../../shared/engines/postgres/connection/postgres.js';
import {
  isConnectionUnusable,
  translatePostgresError,
} from '../../../shared/engines/postgres/connection/postgres-errors.js';
import { runTransaction } from '../../../shared/engines/postgres/connection/run-transaction.js';
import type { SimulatedProcess, World } from '../world/world.js';
import { connectionLost } from './server-errors.js';
import type { Backend, BackendOptions, SimulatedServer } from './simulated-server.js';
import type { Outcome } from './statement.js';

const ANSWER_MS = 11_000;
/** How long the server keeps the connections of a process that crashed. */
const CRASHED_SESSION_MS = 30;

export function createSimulatedPostgres({
  world,
  server,
  process,
}: {
  readonly world: World;
  readonly server: SimulatedServer;
  readonly process: SimulatedProcess;
}): Postgres {
  const open = new Set<Backend>();
  /** The connections that the pool keeps between two uses. */
  let idle: readonly Backend[] = [];
  let lostConnections = 0;
  process.onCrash(() => world.after(CRASHED_SESSION_MS, () => open.forEach((backend) => backend.end())));

  function connect(options?: BackendOptions): Backend {
    const backend = server.connect(options);
    open.add(backend);
    return backend;
  }

  /** The process, which may be paused, gets the message. */
  const deliver = (react: () => void): void => world.after(1, () => process.enter(react));

  /** A connection that connects with its first statement, unless it gets a backend. */
  function createConnection(
    options: BackendOptions,
    first: Backend | null = null,
  ): Connection & { readonly backend: () => Backend | null; readonly close: () => void } {
    let backend = first;
    let isBroken = false;
    const markBroken = (): void => {
      isBroken = true;
    };

    /** An answer of a session that ended meanwhile never arrives. */
    async function call(step: string, serve: (to: Backend) => Outcome | Promise<Outcome>): Promise<Outcome> {
      const sent = world.now();
      const answer = await world.call(process, step, () => serve((backend ??= connect(options))));
      if (backend?.isEnded()) throw connectionLost();
      if (world.now() - sent > ANSWER_MS) throw new Error('Query read timeout');
      return answer;
    }

    return {
      run: async <R extends Row>({ statement, params }: StatementCall): Promise<Result<R>> => {
        const text = keyOf(statement);
        try {
          const { rows, count } = await call(stepOf(text, params), (to) => to.execute(text, params));
          return { rows: rows as readonly R[], count: count ?? rows.length };
        } catch (error) {
          if (isConnectionUnusable(error)) markBroken();
          throw translatePostgresError(error);
        }
      },
      runBare: async <R extends Row>(text: string) => {
        const { rows } = await call(text.includes('append_group') ? 'COMMIT with append' : text, (to) => {
          const lost = text.endsWith('COMMIT') ? server.takesLostCommit() : null;
          if (lost && !lost.stands) to.end();
          const outcome = to.commit(text);
          if (lost) to.end();
          return outcome;
        });
        const answer = { rows, rowCount: rows.length, command: text.endsWith('COMMIT') ? 'COMMIT' : 'ROLLBACK' };
        // The parts of a result of `pg` that production reads.
        return [answer as unknown as QueryResult<R>, answer as unknown as QueryResult<R>];
      },
      backend: () => backend,
      isBroken: () => isBroken,
      markBroken,
      close: () => {
        if (!backend) return;
        open.delete(backend);
        backend.end();
      },
    };
  }

  function loseIdle(backend: Backend | null): void {
    if (backend === null || !idle.includes(backend)) return;
    idle = idle.filter((other) => other !== backend);
    lostConnections += 1;
  }

  function release({ backend, isBroken, close }: ReturnType<typeof createConnection>): void {
    const used = backend();
    if (used === null) return;
    if (!isBroken()) {
      idle = [...idle, used];
      // It ended after its last answer, before it was idle.
      if (used.isEnded()) deliver(() => loseIdle(used));
      return;
    }
    lostConnections += 1;
    close();
  }

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const [first = null, ...others] = idle;
    idle = others;
    const options = { onEnd: () => deliver(() => loseIdle(connection.backend())) };
    const connection = createConnection(first === null ? options : {}, first);
    try {
      return await work(connection);
    } finally {
      release(connection);
    }
  }

  return {
    query: (statement, params = []) => onConnection(({ run }) => run({ statement, params, timeoutMs: ANSWER_MS })),
    transaction: (work, { timeoutMs } = {}) =>
      onConnection((connection) => runTransaction(connection, work, { timeoutMs, answerMs: ANSWER_MS })),
    session: async () => {
      const lost = new AbortController();
      let isClosing = false;
      lost.signal.addEventListener('abort', () => {
        if (!isClosing) lostConnections += 1;
      });
      const listeners = new Map<string, (() => void)[]>();
      const connection = createConnection({
        onEnd: () => deliver(() => lost.abort()),
        onNotify: (channel) => deliver(() => listeners.get(channel)?.forEach((wake) => wake())),
      });
      await connection.run({ statement: 'SELECT 1', params: [], timeoutMs: ANSWER_MS });
      const query: Session['query'] = async (statement, params = []) => {
        try {
          return await connection.run({ statement, params, timeoutMs: ANSWER_MS });
        } finally {
          if (connection.isBroken()) lost.abort();
        }
      };
      return {
        lost: lost.signal,
        query,
        listen: async (channel, wake) => {
          listeners.set(channel, [...(listeners.get(channel) ?? []), wake]);
          await query(`LISTEN "${channel}"`);
        },
        close: async () => {
          isClosing = true;
          lost.abort();
          connection.close();
        },
      };
    },
    lostConnections: () => lostConnections,
    close: async () => {
      for (const backend of open) backend.end();
    },
  };
}

/** Reads are frequent, and the schedule names their positions elsewhere. */
const FREQUENT = 'journal.unapplied_events';

/** The schedule names the positions that a statement is about. */
function stepOf(text: string, [first]: readonly unknown[]): string {
  return text !== FREQUENT && Array.isArray(first) && typeof first[0] === 'number'
    ? `${text} ${first.join(' ')}`
    : text;
}

/** `component.name` of a prepared statement; the text of any other one. */
export function keyOf(statement: Statement | string): string {
  return typeof statement === 'string' ? statement : statement.name.replace(/^(.+?)_\d+_/u, '$1.');
}
