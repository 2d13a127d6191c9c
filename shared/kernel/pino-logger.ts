/** The only file that imports pino. It writes JSON lines, or plain lines when the stream is a terminal. */
import { pino, stdTimeFunctions } from 'pino';
import { createLogOutput, type LogStream } from './log-output.js';
import type { Logger } from './logger.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Callers pass an error as the field `err`. The value of a field with the name of a secret is written as `[secret]`.
 */
export function createLogger(options: { readonly level: LogLevel; readonly stream: LogStream }): Logger {
  const { level, stream } = options;
  const write = createLogOutput(stream, (dropped) => logger.warn({ dropped }, 'log lines could not be written'));
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    { write: (line) => write(stream.isTTY ? plainLine(line) : line) },
  );
  return logger;
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

/**
 * Only name, message, code, stack and causes: drivers attach parameters to their errors, and these hold the content of
 * memories.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const failures = error instanceof AggregateError ? error.errors.slice(0, CAUSE_LIMIT) : [];
  const isWithinLimit = depth < CAUSE_LIMIT;
  return {
    name,
    message,
    ...('code' in error ? { code: String(error.code) } : {}),
    stack,
    ...(cause !== undefined && isWithinLimit ? { cause: describeError(cause, depth + 1) } : {}),
    ...(failures.length > 0 && isWithinLimit
      ? { errors: failures.map((failure: unknown) => describeError(failure, depth + 1)) }
      : {}),
  };
}

function plainLine(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const facts = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [String(time).slice(11, 23), String(level).padEnd(5), String(msg ?? ''), ...facts].join(' ');
  return err === undefined ? `${head}\n` : `${head}\n${stackText(err)}\n`;
}

function stackText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `  ${String(error)}`;
  const { stack, message, cause } = error as { stack?: string; message?: string; cause?: unknown };
  const own = `  ${stack ?? message ?? ''}`;
  return cause === undefined ? own : `${own}\n  caused by\n${stackText(cause)}`;
}
