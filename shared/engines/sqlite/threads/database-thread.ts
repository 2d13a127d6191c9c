/**
 * The entry point of every database thread: opens a connection, or several in a shared thread, then runs one procedure
 * after the other in order of arrival. A writer runs all procedures that wait for it in one IMMEDIATE transaction, a
 * reader runs each one in a snapshot.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { Database, Migrations, MigrationStep } from './database.js';
import type { Procedure } from './host.js';
import { type LoadedMigrations, migrate } from './migrate.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { type SerializedError, serializeError } from './serialized-error.js';
import { translateSqliteError } from './sqlite-errors.js';
import { type Outcome, runTurn } from './writers-turn.js';

export type ThreadOptions = { readonly file: string } & (
  { readonly role: 'writer'; readonly migrations: readonly Migrations[] } | { readonly role: 'reader' }
);
export type ThreadRequest =
  | {
      readonly id: number;
      readonly url: string;
      readonly name: string;
      readonly args: unknown;
      /** As `SqliteHost.writeDerived`. */
      readonly isDerived: boolean;
    }
  | 'close';
/** The reply with id 0 reports the opening of the database. */
export type ThreadReply = { readonly id: number } & (
  { readonly result: unknown } | { readonly error: SerializedError }
);

const BUSY_TIMEOUT_MS = 5_000;
/**
 * Pages are read, not memory-mapped. Mapping makes a keyword search a fifth cheaper but counts the whole file as
 * resident memory once for each thread (340 MB at 10,000 memories).
 */
const CACHE_KIB = 16 * 1024;
/** Of a connection in a shared thread: a process may have hundreds of them. */
const SHARED_CACHE_KIB = 4 * 1024;
/** SQLite truncates the write-ahead log to this size when the log restarts. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** The data of a thread that many connections share. */
export const SHARED = 'shared';
/** Opens a connection in a shared thread. */
export type SharedConnection = { readonly port: MessagePort; readonly options: ThreadOptions };

type Place = {
  /** Pages that the connection caches. */
  readonly cacheKib: number;
  /** Releases what a closed connection has left in the thread. */
  readonly release: () => Promise<void>;
};
/** The end of the thread releases everything. */
const OWN_THREAD: Place = { cacheKib: CACHE_KIB, release: () => Promise.resolve() };
const SHARED_THREAD: Place = { cacheKib: SHARED_CACHE_KIB, release: collectStatements };

if (parentPort && workerData === SHARED)
  parentPort.on('message', ({ port, options }: SharedConnection) => void serve(port, options, SHARED_THREAD));
else if (parentPort) void serve(parentPort, workerData as ThreadOptions);

/** Serves the calls that come through the port until one of them is `close`. */
export async function serve(
  port: MessagePort,
  options: ThreadOptions,
  { cacheKib, release }: Place = OWN_THREAD,
): Promise<void> {
  const reply = (message: ThreadReply): void => port.postMessage(message);
  let database: OpenDatabase;
  try {
    database = await open(options, cacheKib);
  } catch (error) {
    await release();
    reply({ id: 0, error: serializeError(translateSqliteError(error)) });
    port.close();
    return;
  }
  const procedures = new Map<string, Procedure<unknown, unknown>>();

  async function procedureOf({ url, name }: Called): Promise<Procedure<unknown, unknown>> {
    const called = procedures.get(`${url}#${name}`) ?? (await load(url, name));
    procedures.set(`${url}#${name}`, called);
    return called;
  }

  async function read(request: Called): Promise<void> {
    try {
      const called = await procedureOf(request);
      reply({ id: request.id, result: reading(database, () => called.run(database, request.args)) });
    } catch (error) {
      reply({ id: request.id, error: serializeError(translateSqliteError(error)) });
    }
  }

  let synchronous: Synchronous = 'FULL';

  /** A transaction cannot change it. SQLite does so when it prepares the statement, so it is prepared each time. */
  function syncCommits(next: Synchronous): void {
    if (next === synchronous) return;
    database.exec(`PRAGMA synchronous = ${next}`);
    synchronous = next;
  }

  const waiting: Called[] = [];
  let isScheduled = false;

  /** Begins after the messages that have arrived already, so that their writes are in the same turn. */
  function scheduleWrite(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void inTurn(write);
    });
  }

  async function write(): Promise<void> {
    const turn = waiting.slice(0, TURN_LIMIT);
    if (turn.length === 0) return;
    const loaded = await Promise.all(
      turn.map((request) =>
        procedureOf(request).then(
          (called) => ({ called }),
          (error: unknown) => ({ error }),
        ),
      ),
    );
    const writes = loaded.map((one, index) => () => {
      if ('error' in one) throw one.error;
      return one.called.run(database, turn[index]?.args);
    });
    syncCommits(turn.every(({ isDerived }) => isDerived) ? 'NORMAL' : 'FULL');
    const outcomes = turnOutcomes(database, writes);
    waiting.splice(0, outcomes.length);
    outcomes.forEach((outcome, index) => replyTo(turn[index], outcome));
    if (waiting.length > 0) await write();
  }

  function replyTo(request: Called | undefined, outcome: Outcome): void {
    if (request === undefined) return;
    if ('error' in outcome) reply({ id: request.id, error: serializeError(translateSqliteError(outcome.error)) });
    else reply({ id: request.id, result: outcome.result });
  }

  async function close(): Promise<void> {
    await write();
    database.close();
    await release();
    port.close();
  }

  const inTurn = createSerialQueue();
  port.on('message', (request: ThreadRequest) => {
    if (request === 'close') return void inTurn(close);
    if (options.role === 'reader') return void inTurn(() => read(request));
    waiting.push(request);
    scheduleWrite();
  });
  reply({ id: 0, result: null });
}

/**
 * Closes the files of closed connections: the driver has no other way to end a statement than its collection, and a
 * shared thread goes on.
 */
async function collectStatements(): Promise<void> {
  collectGarbage ??= exposedCollector();
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve)); // finalizers run in the next turn
}

let collectGarbage: (() => void) | undefined;

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

type Called = Exclude<ThreadRequest, 'close'>;

/** With a write-ahead log, FULL syncs the log in each commit, and NORMAL only before pages leave the log. */
type Synchronous = 'FULL' | 'NORMAL';

/** Writes of one turn. */
const TURN_LIMIT = 64;

/** A transaction that does not begin fails every write. */
function turnOutcomes(database: OpenDatabase, writes: readonly (() => unknown)[]): readonly Outcome[] {
  try {
    return runTurn(database, writes);
  } catch (error) {
    return writes.map(() => ({ error }));
  }
}

async function open(options: ThreadOptions, cacheKib: number): Promise<OpenDatabase> {
  const migrations = options.role === 'writer' ? await Promise.all(options.migrations.map(loadSteps)) : [];
  const database = openDatabase(options.file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    for (const pragma of [`cache_size = -${cacheKib}`, 'mmap_size = 0', 'temp_store = MEMORY'])
      database.all(`PRAGMA ${pragma}`);
    if (options.role === 'reader') database.all('PRAGMA query_only = 1');
    else prepareWriter(database, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareWriter(database: OpenDatabase, migrations: readonly LoadedMigrations[]): void {
  database.all('PRAGMA journal_mode = WAL');
  database.all('PRAGMA synchronous = FULL');
  database.all(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
  database.all('PRAGMA secure_delete = ON');
  // On macOS only F_FULLFSYNC reaches the disk; on other systems fsync does.
  if (process.platform === 'darwin') database.all('PRAGMA fullfsync = 1');
  migrate(database, migrations);
}

async function loadSteps({ component, steps }: Migrations): Promise<LoadedMigrations> {
  const loadStep = async (step: MigrationStep) => {
    if (typeof step === 'string') return step;
    const { run } = await load(step.url, step.name);
    return (database: Database): void => void run(database, null);
  };
  return { component, steps: await Promise.all(steps.map(loadStep)) };
}

async function load(url: string, name: string): Promise<Procedure<unknown, unknown>> {
  const module = (await import(url)) as Record<string, Procedure<unknown, unknown> | undefined>;
  const found = module[name];
  if (typeof found?.run !== 'function')
    throw new TypeError(`${url} exports no procedure with the name ${name}: export it under this name`);
  return found;
}

function reading<R>(database: OpenDatabase, work: () => R): R {
  database.run('BEGIN');
  try {
    return work();
  } finally {
    if (database.inTransaction()) database.run('COMMIT');
  }
}
