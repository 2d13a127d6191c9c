/**
 * Runs the statements of the records in either SQL database. A statement has one text for both; `dialect` has the
 * expressions that differ.
 */
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
  /** A condition: the column has one of the values of a parameter that is a list. */
  readonly isIn: (column: string, param: string) => string;
  /** A table with the texts of a parameter that is a list, in the column `value`. */
  readonly items: (param: string) => string;
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
