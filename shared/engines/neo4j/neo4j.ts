/** The connection to Neo4j, as the statements of the graph use it. */

/**
 * A Cypher text and the values that it reads as `$given.NAME`. All values are one parameter: for separate parameters
 * with lists or texts, the server makes one plan for each order of magnitude of their sizes, and a new plan takes 70 ms
 * or more. For the same reason there are few texts, and they never change.
 */
export type Statement = {
  readonly text: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Sees the rows before the commit of a write; what it throws rolls the transaction back. */
  readonly check?: (rows: readonly Row[]) => void;
};

/** The values that RETURN names. Integers are JavaScript numbers. */
export type Row = Readonly<Record<string, unknown>>;

/** `timeoutMs`: the server ends the transaction after this time, or after the configured time if that is shorter. */
export type CallLimits = { readonly timeoutMs: number };

/**
 * Each method throws DependencyError('graph') when the server fails or does not answer in time, and DeadlineError when
 * too many calls wait already. Reads see all writes that were answered before.
 */
export interface Neo4j {
  /** One statement in a managed transaction that only reads. */
  read(statement: Statement, limits?: CallLimits): Promise<readonly Row[]>;
  /**
   * Several read-only statements in order, each sent without waiting for the reply of the one before. They may see
   * different states of the graph.
   */
  readAll(statements: readonly Statement[], limits?: CallLimits): Promise<readonly (readonly Row[])[]>;
  /** As `read`, in a cluster at the leader alone: for what compares the graph with its journal. */
  readAtLeader(statement: Statement): Promise<readonly Row[]>;
  /** All statements in one managed transaction, in order, each sent without waiting for the reply of the one before. */
  write(statements: readonly Statement[], limits?: CallLimits): Promise<void>;
  /** The version that the server reports, asked once without a retry. */
  serverVersion(): Promise<string>;
  close(): Promise<void>;
}
