/** Neo4j's failures in the words of the graph. */
import { Neo4jError } from 'neo4j-driver';
import { DependencyError } from '../../kernel/errors.js';

/** The server has accepted the call and said nothing since: paused, cut off, or slower than every timeout. */
export class NoAnswerError extends Error {
  constructor(ms: number) {
    super(`Neo4j did not answer within ${ms} ms`);
    this.name = 'NoAnswerError';
  }
}

/** A mistake in a statement of ours is left alone: it is a bug, and trying again does not mend it. */
export function graphError(error: unknown, { isWrite }: { readonly isWrite: boolean }): unknown {
  if (!(error instanceof NoAnswerError) && (!(error instanceof Neo4jError) || isOurs(error.code))) return error;
  const outcomeUnknown = isWrite && (error instanceof NoAnswerError || CONNECTION_LOST.has(error.code));
  return new DependencyError('graph', 'Graph database unavailable', { cause: error, outcomeUnknown });
}

/** With these the COMMIT may have been under way; every other failure is the server's word that it rolled back. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError']);

const OURS = ['Neo.ClientError.Statement.', 'Neo.ClientError.Schema.', 'Neo.ClientError.Procedure.'];

function isOurs(code: string): boolean {
  return OURS.some((beginning) => code.startsWith(beginning));
}

/** The code of the Neo4j error behind an error of ours; null when there is none. */
export function neo4jCode(error: unknown): string | null {
  if (error instanceof Neo4jError) return error.code;
  return error instanceof DependencyError ? neo4jCode(error.cause) : null;
}
