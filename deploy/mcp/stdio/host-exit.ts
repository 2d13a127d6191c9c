/** Detects every way in which the client that started this process can leave. Without it an orphaned process would wait for stdin forever. */
import type { Readable, Writable } from 'node:stream';

/** The part of Node's `process` that stdio needs. */
export interface StdioHost {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly ppid: number;
  on(event: 'SIGHUP', listener: () => void): unknown;
}

/** Resolves with the first reason to stop. */
export function waitForHostExit(host: StdioHost, parentWatchMs: number): Promise<string> {
  return new Promise((resolve) => {
    const parent = host.ppid;
    host.stdin.once('end', () => resolve('stdin has ended'));
    host.stdin.once('close', () => resolve('stdin is closed'));
    host.stdin.on('error', () => resolve('stdin is broken'));
    host.stdout.on('error', () => resolve('stdout has no reader'));
    host.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') resolve('stderr has no reader'); // a full disk loses lines, but not the client
    });
    host.on('SIGHUP', () => resolve('SIGHUP'));
    // Some programs die while their end of stdin stays open, because another child inherited it.
    setInterval(() => {
      if (host.ppid !== parent) resolve('the parent process has ended');
    }, parentWatchMs).unref();
  });
}
