/** Starts one of our Node programs as a child process that a test can kill, pause and read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Child = {
  readonly pid: number;
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly isRunning: () => boolean;
  /** Closes our end of its stderr, as a log collector that dies does. */
  readonly closeStderr: () => void;
  /** Sends the signal and resolves when the process ends, with the exit code or the name of the signal. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | string>;
  /** Resolves when the process ends, with the exit code or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** Resolves with the first match in its output. Rejects with the whole output if the process ends first. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>;
};

export type ChildOptions = {
  /** The entry file, relative to `dist`: `deploy/embedded/main.js`. */
  readonly main: string;
  readonly arguments?: readonly string[];
  /** Working folder and home folder of the process. */
  readonly folder: string;
  /** Its whole environment except PATH and HOME. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The largest file that the process may write, in KiB. Larger writes fail as on a full disk. */
  readonly fileLimitKib?: number;
  /** A file that takes its stderr, for example `/dev/full`. */
  readonly stderrFile?: string;
};

const OUTPUT_KEPT = 200_000;

export function startChild({
  main,
  arguments: line = [],
  folder,
  variables = {},
  fileLimitKib,
  stderrFile,
}: ChildOptions): Child {
  const file = fileURLToPath(new URL(`../../../${main}`, import.meta.url));
  const limit = fileLimitKib === undefined ? '' : `ulimit -f ${fileLimitKib * 2}; `;
  const redirection = stderrFile === undefined ? '' : ` 2>${stderrFile}`;
  // Without source maps, as the published command runs: loading them takes a tenth of a start.
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"${redirection}`, process.execPath, file, ...line], {
    env: { PATH: process.env['PATH'], HOME: folder, ...variables },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
    closeStderr: () => child.stderr.destroy(),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const checkOutput = (): void => {
          const found = pattern.exec(text);
          if (found) resolve(found);
        };
        child.stdout.on('data', checkOutput);
        child.stderr.on('data', checkOutput);
        void ended.then(() => reject(new Error(`The process ended before it printed ${pattern}:\n${text}`)));
        checkOutput();
      }),
  };
}
