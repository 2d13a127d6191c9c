/** The connection to Neo4j as the graph's statements need it. */

/**
 * A text and what it reads as `$given.NAME`. All of it is one parameter: for lists and texts among its parameters the server makes one
 * plan for each order of magnitude of their sizes, and at 70 ms and more a plan a new size would be felt. Texts are few and fixed for the same reason.
 */
export type Statement = { readonly text: string; readonly given: Readonly<Record<string, unknown>> };

/** What a RETURN names. Numbers are JavaScript's. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Each method throws DependencyError('graph') when the server fails or does not answer in time, and DeadlineError when too many calls
 * wait already. Reads see what was written through the same connection before, also in a cluster.
 */
export interface Neo4j {
  /** One statement in a managed transaction that only reads; a cluster may send it to any of its servers. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Several that only read, in order, each sent without waiting for the one before; the rows of each. They need not see one state of the graph. */
  readAll(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /** All of them in one managed transaction, in order, each sent without waiting for the one before. */
  write(statements: readonly Statement[]): Promise<void>;
  /** The version that the server says it has, asked once without retrying. */
  serverVersion(): Promise<string>;
  close(): Promise<void>;
}
