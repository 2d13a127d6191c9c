/** The one place that knows pino: JSON lines for machines, one plain line each for a person at a terminal. */
import { pino, stdTimeFunctions } from 'pino';
import type { Logger } from './logger.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where lines go; `process.stdout` is one. */
export type LogStream = { write(line: string): unknown; readonly isTTY?: boolean };

/** Errors are given as `{ error }`, and read as well under pino's own name for them. What is named like a secret is never written. */
export function createLogger(options: { readonly level: LogLevel; readonly stream: LogStream }): Logger {
  const { level, stream } = options;
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (error: unknown) => describeError(error), err: (error: unknown) => describeError(error) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    stream.isTTY ? { write: (line) => stream.write(plainLine(line)) } : { write: (line) => stream.write(line) },
  );
}

const SECRETS = [
  'token',
  'tokens',
  'authorization',
  'apiKey',
  'api_key',
  'adminToken',
  'admin_token',
  'password',
  'secret',
];

const CAUSE_LIMIT = 5;

/** Name, text and stack only: drivers hang parameters on their errors, and those hold what callers stored. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const failures = error instanceof AggregateError ? error.errors.slice(0, CAUSE_LIMIT) : [];
  const within = depth < CAUSE_LIMIT;
  return {
    name,
    message,
    ...('code' in error ? { code: String(error.code) } : {}),
    stack,
    ...(cause !== undefined && within ? { cause: describeError(cause, depth + 1) } : {}),
    ...(failures.length > 0 && within
      ? { errors: failures.map((failure: unknown) => describeError(failure, depth + 1)) }
      : {}),
  };
}

function plainLine(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const facts = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [String(time).slice(11, 23), String(level).padEnd(5), String(msg ?? ''), ...facts].join(' ');
  return error === undefined ? `${head}\n` : `${head}\n${stackText(error)}\n`;
}

function stackText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `  ${String(error)}`;
  const { stack, message, cause } = error as { stack?: string; message?: string; cause?: unknown };
  const own = `  ${stack ?? message ?? ''}`;
  return cause === undefined ? own : `${own}\n  caused by\n${stackText(cause)}`;
}
