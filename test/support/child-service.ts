/** The embedded service as a person runs it: a child process, so that tests can kill it, starve it or start it twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createHttpCaller, type HttpCaller } from './http-caller.js';

const MAIN = fileURLToPath(new URL('../../deploy/embedded/main.js', import.meta.url));

export type ChildService = HttpCaller & {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Sends the signal and waits for the end; returns the exit code, or the signal's name. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | string>;
};

export type ChildOptions = {
  readonly dataFolder: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Largest file the process may write, in KiB: a disk that is full beyond it. */
  readonly fileLimitKib?: number;
};

/** Starts the service on a free port and resolves once it serves; rejects with its output when it ends first. */
export async function startChildService(options: ChildOptions): Promise<ChildService> {
  const { child, output } = spawnService(options);
  const url = await listening(child, output);
  return {
    url,
    pid: child.pid ?? 0,
    output,
    signal: (signal) => {
      child.kill(signal);
    },
    ...createHttpCaller(url),
    stop: async (signal) => {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill(signal);
      await ended;
      return child.exitCode ?? child.signalCode ?? 'unknown';
    },
  };
}

/** Runs the service until it ends by itself: for starts that must fail. */
export async function runChildService(options: ChildOptions): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const { child, output } = spawnService(options);
  await once(child, 'exit');
  return { exitCode: child.exitCode, output: output() };
}

function spawnService({ dataFolder, variables, fileLimitKib }: ChildOptions): { child: ChildProcess; output: () => string } {
  const environment = {
    PATH: process.env['PATH'], HOME: dataFolder, PORT: '0', LOG_LEVEL: 'warn', PALIMPSEST_DATA_DIR: dataFolder, ...variables,
  };
  const limit = fileLimitKib === undefined ? '' : `ulimit -f ${fileLimitKib * 2}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, MAIN], {
    env: environment, cwd: dataFolder, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const collect = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-200_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => text };
}

function listening(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = /http:\/\/[^\s:]+:(\d+)/u.exec(output());
      if (found) resolve(`http://127.0.0.1:${found[1]}`);
    };
    child.stdout?.on('data', look);
    child.once('exit', () => reject(new Error(`The service ended before it listened:\n${output()}`)));
  });
}
