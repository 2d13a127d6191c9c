/**
 * Starts a process, runs it until a signal or an unhandled failure, stops it in order within a deadline, and exits. The
 * exit code says how the process ended.
 */
import { raceDeadline } from './concurrency/within-deadline.js';
import { ConfigurationError } from './config/config.js';
import { PalimpsestError } from './errors.js';
import type { Logger } from './logger.js';

export type Running = {
  readonly logger: Logger;
  /** Accepts no new work, finishes the running work and closes every open resource. */
  readonly stop: () => Promise<void>;
  /** How long `stop` may take. After that the process exits even if `stop` is still running. */
  readonly stopDeadlineMs: number;
  /** Resolves with a reason when no client is left to serve. The process then stops as it does after a signal. */
  readonly ended?: Promise<string>;
  /** Resolves with a reason when the process cannot go on. It then stops as it does after a signal, and has failed. */
  readonly failed?: Promise<string>;
};

/** The part of Node's `process` that `runProcess` uses. */
export interface ProcessHost {
  on(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

type OutputStream = { write(text: string): unknown; on(event: 'error', listener: () => void): unknown };

export const EXIT = { stopped: 0, failed: 1, forced: 130 } as const;

/** A process that is still starting has promised nothing to a caller, so it may end with open resources. */
const START_STOP_DEADLINE_MS = 5_000;

/**
 * Resolves at the end of the process. A signal during the start aborts `shutdownSignal`; the process then exits after
 * START_STOP_DEADLINE_MS at the latest. A second signal exits immediately.
 */
export async function runProcess(
  host: ProcessHost,
  start: (shutdownSignal: AbortSignal) => Promise<Running>,
): Promise<void> {
  let running: Running | undefined;
  // Without a listener each line for a full disk or a dead reader would be an uncaught exception, whose report is again
  // such a line.
  for (const output of [host.stdout, host.stderr]) output.on('error', () => undefined);
  const shutdown = new AbortController();
  const shutdownReason = waitForShutdown(host, (error, reason) => {
    if (running) return running.logger.error({ err: error }, reason);
    host.stderr.write(`${failureText(error)}\n`);
    host.exit(EXIT.failed);
  });
  const startupDeadline = shutdownReason.then(() => {
    shutdown.abort();
    return new Promise<undefined>((resolve) => {
      if (!running) setTimeout(() => resolve(undefined), START_STOP_DEADLINE_MS);
    });
  });
  try {
    running = await Promise.race([start(shutdown.signal), startupDeadline]);
  } catch (error) {
    if (shutdown.signal.aborted) return host.exit(EXIT.stopped);
    host.stderr.write(`${failureText(error)}\n`);
    return host.exit(EXIT.failed);
  }
  if (running === undefined) return host.exit(EXIT.stopped);
  const { ended = NEVER, failed = NEVER } = running;
  const { reason, isFailure } = await Promise.race([
    shutdownReason.then((name) => ({ reason: name, isFailure: FAILURES.includes(name) })),
    ended.then((text) => ({ reason: text, isFailure: false })),
    failed.then((text) => ({ reason: text, isFailure: true })),
  ]);
  running.logger[isFailure ? 'error' : 'info']({ reason }, 'stopping');
  const stoppedInTime = await stopWithin(running);
  host.exit(stoppedInTime && !isFailure ? EXIT.stopped : EXIT.failed);
}

const NEVER = new Promise<never>(() => undefined);
const SIGNALS: readonly string[] = ['SIGTERM', 'SIGINT'];
const FAILURES: readonly string[] = ['unhandledRejection', 'uncaughtException'];

/** Resolves with the name of the first signal or of the first unhandled failure. Reports every unhandled failure. */
function waitForShutdown(host: ProcessHost, report: (error: unknown, reason: string) => void): Promise<string> {
  return new Promise((resolve) => {
    let wasSignalled = false;
    for (const signal of SIGNALS) {
      host.on(signal, () => {
        if (wasSignalled) host.exit(EXIT.forced);
        wasSignalled = true;
        resolve(signal);
      });
    }
    for (const failure of FAILURES) {
      host.on(failure, (error) => {
        report(error ?? new Error('no reason was given'), failure);
        resolve(failure);
      });
    }
  });
}

async function stopWithin({ logger, stop, stopDeadlineMs }: Running): Promise<boolean> {
  try {
    const outcome = await raceDeadline(stop(), { milliseconds: stopDeadlineMs, onDeadline: () => 'late' as const });
    if (outcome === 'late') logger.error({ stopDeadlineMs }, 'stop deadline exceeded, exiting');
    return outcome !== 'late';
  } catch (error) {
    logger.error({ err: error }, 'stopping failed');
    return false;
  }
}

/** The message of one of our errors, which says what to do. Any other error is a bug: its stack says where. */
function failureText(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof PalimpsestError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
