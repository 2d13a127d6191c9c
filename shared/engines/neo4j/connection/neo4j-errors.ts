/** Translates errors of Neo4j to errors of the graph. */
import { Neo4jError } from 'neo4j-driver';
import { DependencyError } from '../../../kernel/errors.js';

/** The server accepted the call and sent no reply: it is paused, cut off, or slower than every timeout. */
export class NoAnswerError extends Error {
  constructor(ms: number) {
    super(`Neo4j did not answer within ${ms} ms`);
    this.name = 'NoAnswerError';
  }
}

/** Returns an error of our own statement unchanged: it is a bug, and a retry cannot succeed. */
export function graphError(error: unknown, { isWrite }: { readonly isWrite: boolean }): unknown {
  if (!(error instanceof NoAnswerError) && (!(error instanceof Neo4jError) || isOurs(error.code))) return error;
  const outcomeUnknown = isWrite && (error instanceof NoAnswerError || CONNECTION_LOST.has(error.code));
  return new DependencyError('graph', 'Graph database unavailable', {
    cause: error,
    outcomeUnknown,
    isReachable: error instanceof Neo4jError && isOfThisCall(error.code),
  });
}

/** With these codes the COMMIT may have been on its way; with every other code the server has rolled back. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError']);

/**
 * Prefixes of the codes with which a working server ends one transaction: it timed out, was terminated, lost a lock,
 * ran out of memory, or its statement failed inside the server. All other codes mean that no transaction can succeed:
 * no connection, no rights, a database that is stopped, read-only or out of disk.
 */
const OF_THIS_CALL = [
  'Neo.ClientError.Transaction.',
  'Neo.TransientError.Transaction.',
  'Neo.TransientError.General.',
  'Neo.DatabaseError.Statement.',
  'Neo.DatabaseError.General.',
];
const UNAVAILABLE: ReadonlySet<string> = new Set(['Neo.TransientError.General.DatabaseUnavailable']);

function isOfThisCall(code: string): boolean {
  return !UNAVAILABLE.has(code) && OF_THIS_CALL.some((prefix) => code.startsWith(prefix));
}

const OURS = ['Neo.ClientError.Statement.', 'Neo.ClientError.Schema.', 'Neo.ClientError.Procedure.'];

function isOurs(code: string): boolean {
  return OURS.some((prefix) => code.startsWith(prefix));
}

/** The code of the Neo4j error, also when it is the cause of a DependencyError; null for any other error. */
export function neo4jCode(error: unknown): string | null {
  if (error instanceof Neo4jError) return error.code;
  return error instanceof DependencyError ? neo4jCode(error.cause) : null;
}
