/**
 * The simulated Postgres server: it executes named statements over tables in memory, in transactions with locks. Its
 * accidents: it returns to the state of an asynchronous standby, it ends sessions, and it loses the answer of a commit.
 */
import type { World } from '../world/world.js';
import { createLocks } from './locks.js';
import { connectionLost, serverError } from './server-errors.js';
import { headOf, type Outcome, rows, type Scope } from './statement.js';
import { STATEMENTS } from './statements/all-statements.js';
import { appendGroup } from './statements/commit-point.js';
import { ownerLock } from './statements/earlier-requests.js';
import { createTables, type Key, type Rows, type TableName, type View } from './tables.js';

const LOCK_LIMIT_MS = 5_000;
const IDLE_TRANSACTION_MS = 3_000;
/** The standby knows a sequence up to this much ahead, because Postgres writes its values to the log in advance. */
const SEQUENCE_AHEAD = 32;

/** One connection, as the server sees it. */
export interface Backend {
  readonly isEnded: () => boolean;
  /** Executes a statement, and returns what the server answers. */
  readonly execute: (text: string, params: readonly unknown[]) => Outcome | Promise<Outcome>;
  /** Executes a text that ends with COMMIT. */
  readonly commit: (text: string) => Outcome;
  readonly end: () => void;
}

export type BackendOptions = {
  readonly onEnd?: () => void;
  readonly onNotify?: (channel: string) => void;
};

export type LostEvent = { readonly position: number; readonly subject: string; readonly event_id: string };

export interface SimulatedServer {
  /** Throws while the server is down. */
  readonly connect: (options?: BackendOptions) => Backend;
  /** Loses the answer of the next commit, which stands or not. */
  readonly loseNextCommit: (stands: boolean) => void;
  readonly takesLostCommit: () => { readonly stands: boolean } | null;
  readonly endSessions: () => void;
  /** Promotes a standby that lacks the last commits. Returns the head of its journal, and the events that it lacks. */
  readonly failOver: (options: { readonly lostCommits: number; readonly downMs: number }) => {
    readonly head: number;
    readonly lost: readonly LostEvent[];
  };
  /** What is committed now, for the checks. */
  readonly committed: <T extends TableName>(table: T) => readonly Rows[T][];
  readonly find: <T extends TableName>(table: T, key: Key) => Rows[T] | undefined;
  readonly tables: () => readonly TableName[];
  readonly count: (table: TableName) => number;
}

type Commit = { readonly undo: Parameters<ReturnType<typeof createTables>['undo']>[0]; readonly sequence: number };

export function createSimulatedServer(world: World): SimulatedServer {
  const tables = createTables();
  const backends = new Set<Backend & { readonly notify: (channel: string) => void }>();
  const locks = createLocks({
    after: world.after,
    limitMs: LOCK_LIMIT_MS,
    timedOut: () => serverError('55P03', 'canceling statement due to lock timeout'),
  });
  const commits: Commit[] = [];
  const sequences = { journal_position: 0, dead_letter_id: 0 };
  /** The value of the sequence that the log holds: it is ahead of the sequence. */
  let loggedPosition = 0;
  let isDown = false;
  let lostCommit: { readonly stands: boolean } | null = null;

  const next: Scope['next'] = (sequence) => {
    sequences[sequence] += 1;
    if (sequence === 'journal_position' && sequences.journal_position > loggedPosition)
      loggedPosition = sequences.journal_position + SEQUENCE_AHEAD;
    return sequences[sequence];
  };

  const first = tables.view();
  first.put('journal_identity', 1, {
    id: crypto.randomUUID(),
    has_marked_graph: false,
    graph_behind_from: null,
    lost_position: null,
    lost_event_id: null,
    rebuild_progress: null,
    rebuild_at: null,
  });
  first.put('relay_epoch', 1, { epoch: 0 });
  first.commit();

  function connect({ onEnd, onNotify }: BackendOptions = {}): Backend {
    if (isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    let isEnded = false;
    let transaction: Transaction | null = null;
    /** A statement that is a transaction by itself, while it waits. */
    let waiting: Transaction | null = null;
    let idleSessionMs = Infinity;
    let isWatched = false;
    let lastUse = world.now();
    /** Its statement waits for a lock: a session that waits is not idle. */
    let isWaiting = false;
    const channels = new Set<string>();

    const backend = {
      isEnded: () => isEnded,
      notify: (channel: string) => {
        if (channels.has(channel)) onNotify?.(channel);
      },
      execute: (text: string, params: readonly unknown[]): Outcome | Promise<Outcome> => {
        if (isEnded) throw connectionLost();
        lastUse = world.now();
        const outcome = executeText(text, params);
        if (!(outcome instanceof Promise)) return outcome;
        isWaiting = true;
        return outcome.finally(() => {
          isWaiting = false;
          lastUse = world.now();
        });
      },
      commit: (text: string): Outcome => {
        if (isEnded || !transaction) throw connectionLost();
        const current = transaction;
        const isRolledBack = text === 'ROLLBACK';
        // A statement that throws leaves the transaction open for its ROLLBACK.
        const result = text.includes('append_group()') ? appendGroup(current.scope([])) : rows([]);
        transaction = null;
        if (!isRolledBack) current.commit();
        locks.releaseAll(current);
        return result;
      },
      end: () => {
        if (isEnded) return;
        isEnded = true;
        backends.delete(backend);
        for (const holder of [transaction, waiting, backend]) if (holder) locks.releaseAll(holder);
        transaction = null;
        onEnd?.();
      },
    };
    backends.add(backend);
    return backend;

    function executeText(text: string, params: readonly unknown[]): Outcome | Promise<Outcome> {
      if (text.startsWith('BEGIN')) {
        transaction = beginTransaction();
        watchIdle();
        return rows([]);
      }
      const idle = /^SET idle_session_timeout = (\d+)$/u.exec(text);
      if (idle) {
        idleSessionMs = Number(idle[1]);
        watchIdle();
        return rows([]);
      }
      const listen = /^LISTEN "(.*)"$/u.exec(text);
      if (listen?.[1] !== undefined) {
        channels.add(listen[1]);
        return rows([]);
      }
      if (text === 'SELECT 1') return rows([{ '?column?': 1 }]);
      const aged = /^UPDATE command_keys SET at = at - interval '(\d+) milliseconds'/u.exec(text);
      if (aged) return ageRequests(Number(aged[1]));
      if (text.includes('pg_try_advisory_lock('))
        return rows([{ held: locks.tryTake(backend, advisoryName(text, params), 'exclusive') }]);
      if (text.includes('pg_advisory_lock('))
        return locks.take(backend, ownerLock(String(params[0])), 'exclusive').then(() => rows([{ held: true }]));
      if (transaction) return runStatement(transaction, text, params);
      const own = beginTransaction();
      const outcome = runStatement(own, text, params);
      if (!(outcome instanceof Promise)) return finishOwn(own, outcome);
      waiting = own;
      return outcome
        .then((found) => {
          if (isEnded) throw connectionLost();
          return finishOwn(own, found);
        })
        .finally(() => {
          waiting = null;
          locks.releaseAll(own);
        });
    }

    /** The server ends a session or a transaction that is idle for too long. */
    function watchIdle(): void {
      if (isWatched) return;
      isWatched = true;
      const limitMs = transaction ? IDLE_TRANSACTION_MS : idleSessionMs;
      const waitMs = Math.min(lastUse + limitMs - world.now(), 1e9);
      world.after(Math.max(1, waitMs), () => {
        isWatched = false;
        if (isEnded) return;
        const limit = transaction ? IDLE_TRANSACTION_MS : idleSessionMs;
        if (limit === Infinity) return;
        if (isWaiting) lastUse = world.now();
        if (world.now() - lastUse >= limit) backend.end();
        else watchIdle();
      });
    }
  }

  type Transaction = { readonly scope: (params: readonly unknown[]) => Scope; readonly commit: () => void };

  function beginTransaction(): Transaction {
    const view: ReturnType<typeof tables.view> = tables.view();
    const settings = new Map<string, string>();
    const notified = new Set<string>();
    const transaction: Transaction = {
      scope: (params) => ({
        view: view as View,
        params,
        now: Date.now(),
        settings,
        next,
        notify: (channel) => void notified.add(channel),
        lock: (name, strength) => locks.take(transaction, name, strength),
        isUnlocked: (name) => locks.tryTake(PROBE, name, 'shared') && (locks.releaseAll(PROBE), true),
      }),
      commit: () => {
        const undo = view.commit();
        if (undo.length > 0) commits.push({ undo, sequence: loggedPosition });
        for (const channel of notified) for (const backend of [...backends]) backend.notify(channel);
      },
    };
    return transaction;
  }

  /** Makes remembered requests older, as the contract suite of committers does. */
  function ageRequests(ms: number): Outcome {
    const view = tables.view();
    for (const row of view.all('command_keys')) view.put('command_keys', row.key, { ...row, at: row.at - ms });
    for (const row of view.all('unanswered')) view.put('unanswered', row.command_id, { ...row, at: row.at - ms });
    view.commit();
    return rows([]);
  }

  function runStatement(
    transaction: Transaction,
    text: string,
    params: readonly unknown[],
  ): Outcome | Promise<Outcome> {
    const run = STATEMENTS[text];
    if (!run) throw new Error(`The simulated Postgres does not know the statement ${text}: model it`);
    return run(transaction.scope(params));
  }

  function finishOwn(own: Transaction, outcome: Outcome): Outcome {
    own.commit();
    locks.releaseAll(own);
    return outcome;
  }

  return {
    connect,
    loseNextCommit: (stands) => {
      lostCommit = { stands };
    },
    takesLostCommit: () => {
      const taken = lostCommit;
      lostCommit = null;
      return taken;
    },
    endSessions: () => [...backends].forEach((backend) => backend.end()),
    failOver: ({ lostCommits, downMs }) => {
      for (const backend of [...backends]) backend.end();
      const before = tables.view().all('journal');
      const lost = commits.splice(Math.max(0, commits.length - lostCommits));
      for (const { undo } of [...lost].reverse()) tables.undo(undo);
      loggedPosition = commits.at(-1)?.sequence ?? 0;
      sequences.journal_position = loggedPosition;
      isDown = true;
      world.after(downMs, () => {
        isDown = false;
      });
      const view = tables.view();
      return { head: headOf(view), lost: before.filter(({ position }) => view.get('journal', position) === undefined) };
    },
    committed: (table) => tables.view().all(table),
    find: (table, key) => tables.view().get(table, key),
    tables: tables.names,
    count: tables.count,
  };
}

/** The holder of a lock that is only tried. */
const PROBE = {};

function advisoryName(text: string, params: readonly unknown[]): string {
  const [, number] = /1885436016, (\$1|\d+)/u.exec(text) ?? [];
  return `advisory ${number === '$1' ? String(params[0]) : number}`;
}
