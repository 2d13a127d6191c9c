/** Every way in which a client that started this process can leave it. An orphan would wait on for a stdin that nobody writes to. */
import type { Readable, Writable } from 'node:stream';

/** What is used of Node's `process`. */
export interface StdioHost {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly ppid: number;
  on(event: 'SIGHUP', listener: () => void): unknown;
}

/** Resolves with the first that happens. */
export function untilLeft(host: StdioHost, parentWatchMs: number): Promise<string> {
  return new Promise((resolve) => {
    const parent = host.ppid;
    host.stdin.once('end', () => resolve('stdin has ended'));
    host.stdin.once('close', () => resolve('stdin is closed'));
    host.stdin.on('error', () => resolve('stdin is broken'));
    host.stdout.on('error', () => resolve('nobody reads stdout any more'));
    host.stderr.on('error', () => resolve('nobody reads stderr any more'));
    host.on('SIGHUP', () => resolve('SIGHUP'));
    // Some programs die without their end of stdin being closed, for it was handed on to another child.
    setInterval(() => {
      if (host.ppid !== parent) resolve('the program that started it is gone');
    }, parentWatchMs).unref();
  });
}
