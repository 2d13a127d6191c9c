/**
 * The life of a process: it starts, runs until it is told to stop or something breaks that nobody caught, stops in order within a
 * deadline, and exits with a code that says which of these it was.
 */
import { ConfigurationError } from './config.js';
import { PalimpsestError } from './errors.js';
import type { Logger } from './logger.js';

export type Running = {
  readonly logger: Logger;
  /** Accepts no more, finishes what is under way and closes what is open. */
  readonly stop: () => Promise<void>;
  /** What `stop` may take before the process ends all the same. */
  readonly stopDeadlineMs: number;
  /** Resolves, with the reason, when nobody is left to serve: the process then stops as after a signal. */
  readonly ended?: Promise<string>;
};

/** What is used of Node's `process`. */
export interface ProcessHost {
  on(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
  readonly stderr: { write(text: string): unknown };
}

export const EXIT = { stopped: 0, failed: 1, forced: 130 } as const;

/** Nothing was promised to anybody yet: what is open is closed, or ends with the process. */
const START_STOP_DEADLINE_MS = 5_000;

/**
 * Starts, and keeps to the end of the process. A signal that comes while it starts aborts the one that `start` is given, and the
 * process ends soon, started or not; a second signal does not wait any longer.
 */
export async function runProcess(host: ProcessHost, start: (told: AbortSignal) => Promise<Running>): Promise<void> {
  let running: Running | undefined;
  const told = new AbortController();
  const ending = listenForTheEnd(host, (error, reason) => {
    if (running) return running.logger.error({ error }, reason);
    host.stderr.write(`${failureText(error)}\n`);
    host.exit(EXIT.failed);
  });
  const impatience = ending.then(() => {
    told.abort();
    return new Promise<undefined>((resolve) => {
      if (!running) setTimeout(() => resolve(undefined), START_STOP_DEADLINE_MS);
    });
  });
  try {
    running = await Promise.race([start(told.signal), impatience]);
  } catch (error) {
    if (told.signal.aborted) return host.exit(EXIT.stopped);
    host.stderr.write(`${failureText(error)}\n`);
    return host.exit(EXIT.failed);
  }
  if (running === undefined) return host.exit(EXIT.stopped);
  const reason = await Promise.race([ending, ...(running.ended === undefined ? [] : [running.ended])]);
  running.logger.info({ reason }, 'stopping');
  const isOrderly = await stopWithin(running);
  host.exit(isOrderly && !FAILURES.includes(reason) ? EXIT.stopped : EXIT.failed);
}

const SIGNALS: readonly string[] = ['SIGTERM', 'SIGINT'];
const FAILURES: readonly string[] = ['unhandledRejection', 'uncaughtException'];

/** Resolves with what ends the run: the first signal, or the first failure that nothing handled. Every failure is reported. */
function listenForTheEnd(host: ProcessHost, report: (error: unknown, reason: string) => void): Promise<string> {
  return new Promise((resolve) => {
    let isTold = false;
    for (const signal of SIGNALS) {
      host.on(signal, () => {
        if (isTold) host.exit(EXIT.forced);
        isTold = true;
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
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), stopDeadlineMs);
  });
  try {
    const outcome = await Promise.race([stop(), deadline]);
    if (outcome === 'late') logger.error({ stopDeadlineMs }, 'not stopped within the deadline, ending all the same');
    return outcome !== 'late';
  } catch (error) {
    logger.error({ error }, 'stopping failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Our own errors say what to do; anything else is a bug, and its stack says where. */
function failureText(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof PalimpsestError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
