/** A Node process of ours as a child of the test, so that it can be killed, paused and read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Child = {
  readonly pid: number;
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly isRunning: () => boolean;
  /** Sends the signal and waits for the end; returns the exit code, or the signal's name. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | string>;
  /** Resolves with the exit code or the signal's name when it ends, for whatever reason. */
  readonly ended: Promise<number | string>;
  /** Resolves with the first match in what it prints; rejects with its output when it ends before. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>;
};

export type ChildOptions = {
  /** Its entry file, seen from the root of what was built: `deploy/embedded/main.js`. */
  readonly main: string;
  readonly arguments?: readonly string[];
  /** Its working folder and its home. */
  readonly folder: string;
  /** All that it sees of the environment beside PATH. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Largest file the process may write, in KiB: a disk that is full beyond it. */
  readonly fileLimitKib?: number;
};

const OUTPUT_KEPT = 200_000;

export function startChild({ main, arguments: line = [], folder, variables = {}, fileLimitKib }: ChildOptions): Child {
  const file = fileURLToPath(new URL(`../../${main}`, import.meta.url));
  const limit = fileLimitKib === undefined ? '' : `ulimit -f ${fileLimitKib * 2}; `;
  const child = spawn(
    '/bin/sh',
    ['-c', `${limit}exec "$0" --enable-source-maps "$@"`, process.execPath, file, ...line],
    {
      env: { PATH: process.env['PATH'], HOME: folder, ...variables },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'exit').then(() => child.exitCode ?? child.signalCode ?? 'unknown');
  let text = '';
  const collect = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return {
    pid: child.pid ?? 0,
    output: () => text,
    signal: (signal) => {
      child.kill(signal);
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(text);
          if (found) resolve(found);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        void ended.then(() => reject(new Error(`The process ended before it printed ${pattern}:\n${text}`)));
        look();
      }),
  };
}
