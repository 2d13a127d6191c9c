/** The connection to Neo4j as the graph's statements need it. */

/** The texts are few and fixed, since each is planned at its first use (70 ms and more): what changes from call to call is a parameter. */
export type Statement = { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> };

/** What a RETURN names. Numbers are JavaScript's. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Each method throws DependencyError('graph') when the server fails or does not answer in time, and DeadlineError when too many calls
 * wait already. Reads see what was written through the same connection before, also in a cluster.
 */
export interface Neo4j {
  /** One statement in a managed transaction that only reads; a cluster may send it to any of its servers. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** All of them in one managed transaction, in order, each sent without waiting for the one before. */
  write(statements: readonly Statement[]): Promise<void>;
  /** The version that the server says it has, asked once without retrying. */
  serverVersion(): Promise<string>;
  close(): Promise<void>;
}
