/**
 * One `Postgres` over two databases: each statement runs in the real one and in the model of the simulation, and both
 * answers must be equal. Times are compared with a tolerance, and random ids by the order in which they appear.
 */
import { expect } from 'chai';
import type {
  Postgres,
  Queryable,
  Result,
  Row,
  Session,
  Statement,
  Transaction,
} from '../../../shared/engines/postgres/connection/postgres.js';
import { openSimulatedDatabase, type SimulatedDatabase } from '../../simulation/postgres/simulated-database.js';
import { keyOf } from '../../simulation/postgres/simulated-postgres.js';
import type { TableName } from '../../simulation/postgres/tables.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { createComparison } from './compare-rows.js';

export type PairedPostgres = {
  /** Gives the answers of the real database. Throws when the model answers otherwise. */
  readonly postgres: Postgres;
  readonly real: TemporaryPostgres;
  readonly model: SimulatedDatabase;
  /** The notifications that the sessions of each database received. */
  readonly notified: { real: number; model: number };
  readonly realTables: () => Promise<Tables>;
  /** Throws unless each table of the model has these rows, or the present ones of the real database. */
  readonly expectEqualTables: (wanted?: Tables) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The rows of each table of the real database. */
export type Tables = readonly { readonly table: TableName; readonly rows: readonly Row[] }[];

const TABLES: Readonly<Record<TableName, true>> = {
  subjects: true,
  association_ends: true,
  journal: true,
  outbox: true,
  outbox_pending: true,
  command_keys: true,
  unanswered: true,
  dead_letters: true,
  embedding_cache: true,
  embedding_uses: true,
  erasures: true,
  journal_identity: true,
  relay_epoch: true,
  projector_states: true,
  topic_records: true,
};

/** Adds the name of each statement to `executed`. */
export async function openPairedPostgres(executed: Set<string>): Promise<PairedPostgres> {
  const [real, model] = [await openTemporaryPostgres(), await openSimulatedDatabase()];
  const comparison = createComparison();
  const notified = { real: 0, model: 0 };

  /** At the same time, because some statements compare the time of a row with the present. */
  async function both<R extends Row>(
    statement: Statement | string,
    ask: { readonly real: () => Promise<Result<R>>; readonly model: () => Promise<Result<R>> },
  ): Promise<Result<R>> {
    executed.add(keyOf(statement));
    const [answer, other] = await Promise.all([outcomeOf(ask.real), outcomeOf(ask.model)]);
    const text = typeof statement === 'string' ? statement : statement.text;
    expect(codeOf(other), `error of the model for ${keyOf(statement)}`).to.equal(codeOf(answer));
    if ('error' in answer) throw answer.error;
    if ('error' in other) throw other.error;
    comparison.expectEqualRows(keyOf(statement), {
      real: answer.result.rows,
      model: other.result.rows,
      isOrdered: ORDERED.test(text),
    });
    if (COUNTED.has(keyOf(statement)))
      expect(other.result.count, `count of ${keyOf(statement)}`).to.equal(answer.result.count);
    return answer.result;
  }

  const queryOver =
    (one: Queryable, other: Queryable): Queryable['query'] =>
    (statement, params) =>
      both(statement, { real: () => one.query(statement, params), model: () => other.query(statement, params) });

  async function session(): Promise<Session> {
    const [one, other] = [await real.postgres.session(), await model.postgres.session()];
    return {
      lost: one.lost,
      query: queryOver(one, other),
      listen: async (channel, wake) => {
        await one.listen(channel, () => {
          notified.real += 1;
          wake();
        });
        await other.listen(channel, () => void (notified.model += 1));
      },
      close: async () => void (await Promise.all([one.close(), other.close()])),
    };
  }

  async function realTables(): Promise<Tables> {
    const tables: Tables[number][] = [];
    for (const table of Object.keys(TABLES) as TableName[])
      tables.push({ table, rows: (await real.postgres.query(`SELECT * FROM ${table}`)).rows });
    return tables;
  }

  const postgres: Postgres = {
    query: queryOver(real.postgres, model.postgres),
    transaction: (work, options) =>
      real.postgres.transaction(
        (one) =>
          model.postgres.transaction((other) => {
            const paired: Transaction = {
              query: queryOver(one, other),
              queryAndCommit: (text) =>
                both(text, { real: () => one.queryAndCommit(text), model: () => other.queryAndCommit(text) }),
            };
            return work(paired);
          }, options),
        options,
      ),
    session,
    lostConnections: real.postgres.lostConnections,
    close: () => Promise.resolve(),
  };

  return {
    postgres,
    real,
    model,
    notified,
    realTables,
    expectEqualTables: async (wanted) => {
      for (const { table, rows } of wanted ?? (await realTables()))
        comparison.expectEqualRows(`table ${table}`, {
          real: rows,
          model: model.server.committed(table),
          isOrdered: false,
        });
    },
    close: async () => {
      await real.remove();
      await model.remove();
    },
  };
}

/** The order of the rows is a part of the answer. */
const ORDERED = /ORDER BY [^()]*$|append_group\(\)/u;
/** The statements of which production reads the number of rows. */
const COUNTED: ReadonlySet<string> = new Set(['journal.find_erasure', 'stream.raise_record']);

type Attempt<R> = { readonly result: Result<R> } | { readonly error: unknown };

function outcomeOf<R>(ask: () => Promise<Result<R>>): Promise<Attempt<R>> {
  return ask().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

/** The code of the server's error, the text of any other error, and null for an answer. */
function codeOf(attempt: Attempt<unknown>): string | null {
  if (!('error' in attempt)) return null;
  for (let next = attempt.error; next instanceof Error; next = next.cause)
    if ('code' in next && 'severity' in next) return String(next.code);
  return String(attempt.error);
}
