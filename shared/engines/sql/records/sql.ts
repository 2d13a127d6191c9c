/**
 * Runs the statements of the records in either SQL database. A statement has one text for both; `dialect` has the
 * expressions that differ.
 */
import type { Timestamp } from '../../../contract/memory.js';
import { formatTimestamp } from '../../../kernel/clock.js';

export type Row = Readonly<Record<string, unknown>>;

/** Each engine binds a boolean, a list and a text with a NUL character as its database stores them. */
export type Param = string | number | boolean | null | readonly (string | number)[];

/**
 * The name is unique among the statements over the same migrations. The text has the parameters `$1`, `$2` and so on.
 */
export type Call = readonly [name: string, text: string, params?: readonly Param[]];

export type Dialect = {
  /** The present time: of the database where several processes write to it, else of the process. */
  readonly now: string;
  /** The time that is a parameter in milliseconds before the present time. */
  readonly ago: (param: string) => string;
  /** A condition: the column has one of the values of a parameter that is a list. */
  readonly isIn: (column: string, param: string) => string;
  /** A table with the texts of a parameter that is a list, in the column `value`. */
  readonly items: (param: string) => string;
  /** A table `item` of the objects of a parameter that is JSON: its columns with their types. */
  readonly objects: (param: string, columns: Readonly<Record<string, string>>) => string;
  /** A condition, as the index on this column spells it. */
  readonly isTrue: (column: string) => string;
  /** Ends a SELECT: locks its rows, and leaves out rows that another transaction has locked. */
  readonly skipLocked: string;
};

export interface Sql {
  readonly dialect: Dialect;
  /** Returns the rows of a statement that changes nothing. */
  read<R extends Row>(...call: Call): Promise<readonly R[]>;
  /** Returns the rows of a statement that changes data. Durable when it resolves. */
  write<R extends Row>(...call: Call): Promise<readonly R[]>;
  /**
   * Runs the statements in their order in one transaction, and returns the rows of each. `lock`: a table that no other
   * transaction changes meanwhile.
   */
  transaction<R extends Row>(
    calls: readonly Call[],
    options?: { readonly lock?: string },
  ): Promise<readonly (readonly R[])[]>;
}

/** A time is what the database returns: a Date, or a timestamp of the contract. */
export function timestampOf(time: Date | Timestamp): Timestamp {
  return formatTimestamp(new Date(time));
}
