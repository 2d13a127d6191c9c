/** The spans of calls to Postgres: the name of a prepared statement, never its text or its values. */
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { Statement } from './postgres.js';

export function traceStatement<T>(statement: Statement | string, work: () => T): T {
  return traceCall('query', work, typeof statement === 'string' ? 'query' : statement.name);
}

export function traceCall<T>(kind: 'query' | 'transaction' | 'commit', work: () => T, operation: string = kind): T {
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
  return withChildSpan(`postgres ${kind}`, { kind: 'client', attributes }, () => work());
}
