/**
 * The only file that imports libsql; it hides every peculiarity of the driver. Another SQLite driver would replace only
 * this file.
 */
import Libsql from 'libsql';
import type { Database, SqlRow, SqlValue } from './database.js';

/**
 * Prepared statements that are cached for each method. Beyond the limit the least recently used one is dropped and
 * prepared again at its next use.
 */
export const STATEMENT_LIMIT = 500;

export interface OpenDatabase extends Database {
  /** Also false after SQLite itself has rolled the transaction back, for example when the disk is full. */
  inTransaction(): boolean;
  /** The driver closes the files when its statements are collected, or when the thread ends. */
  close(): void;
}

export function openDatabase(file: string, options: { readonly busyTimeoutMs: number }): OpenDatabase {
  const connection = connect(file, options.busyTimeoutMs);
  // One for each method: after `all` or `run` of the same statement, the driver's `get` neither starts again nor binds,
  // and gives an old row.
  const caches = [new Map(), new Map(), new Map()] as const satisfies readonly StatementCache[];
  const [forAll, forGet, forRun] = [
    keepStatements(connection, caches[0]),
    keepStatements(connection, caches[1]),
    keepStatements(connection, caches[2]),
  ];
  const state = new Map<string, unknown>();
  let depth = 0;

  function savepoint<R>(work: () => R): R {
    const name = `nested_${(depth += 1)}`;
    try {
      forRun(`SAVEPOINT ${name}`).run([]);
      const result = work();
      forRun(`RELEASE ${name}`).run([]);
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      depth -= 1;
    }
  }

  return {
    all: (sql, params = []) => forAll(sql).all(checked(sql, params)).map(plainRow),
    get: (sql, params = []) => {
      const row = forGet(sql).get(checked(sql, params));
      return row === undefined ? undefined : plainRow(row);
    },
    run: (sql, params = []) => {
      const { changes, lastInsertRowid } = forRun(sql).run(checked(sql, params));
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
    exec: (sql) => void connection.exec(sql),
    savepoint,
    state,
    inTransaction: () => connection.inTransaction,
    close: () => {
      connection.close();
      for (const cache of [...caches, state]) cache.clear();
    },
  };
}

type StatementCache = Map<string, Libsql.Statement>;

function keepStatements(connection: Libsql.Database, prepared: StatementCache): (sql: string) => Libsql.Statement {
  return (sql) => {
    const known = prepared.get(sql);
    if (known) prepared.delete(sql);
    const found = known ?? connection.prepare(sql);
    prepared.set(sql, found);
    if (prepared.size > STATEMENT_LIMIT) prepared.delete(prepared.keys().next().value ?? sql);
    return found;
  };
}

/** The driver reports a failed opening with an empty code. */
function connect(file: string, busyTimeoutMs: number): Libsql.Database {
  try {
    return new Libsql(file, { timeout: busyTimeoutMs });
  } catch (cause) {
    throw Object.assign(new Error(`${file} cannot be opened`, { cause }), { code: 'SQLITE_CANTOPEN' });
  }
}

/** The driver aborts the whole process for a boolean or undefined parameter, so this check must come first. */
function checked(sql: string, params: readonly SqlValue[]): SqlValue[] {
  for (const value of params) {
    if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array)
      continue;
    throw new TypeError(`A parameter is ${typeof value}; give text, a number, a Uint8Array or null: ${sql}`);
  }
  return [...params];
}

/** The driver returns blobs from `all` as ArrayBuffer, from `get` as Buffer; `get` also adds a property `_metadata`. */
function plainRow(row: unknown): SqlRow {
  const plain: SqlRow = {};
  for (const [name, value] of Object.entries(row as Record<string, SqlValue | ArrayBuffer>)) {
    if (name === '_metadata') continue;
    plain[name] = value instanceof ArrayBuffer || value instanceof Uint8Array ? ownBytes(value) : value;
  }
  return plain;
}

/**
 * Bytes that fill their whole buffer, so that a clone to another thread copies nothing else and a Float32Array can view
 * them.
 */
function ownBytes(value: ArrayBuffer | Uint8Array): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value.byteLength === value.buffer.byteLength ? new Uint8Array(value.buffer) : new Uint8Array(value);
}
