/** The bridge over stdio as a bare process, for what a well-behaved client never does to it. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { MCP_MAIN } from './mcp.js';
import { until } from './until.js';

export type McpChild = {
  readonly process: ChildProcessWithoutNullStreams;
  readonly send: (message: object) => void;
  /** The answer to the request with that id, once it is there. */
  readonly answerTo: (
    id: number,
  ) => Promise<{
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  }>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
};

export type McpChildOptions = {
  readonly url: string;
  readonly folder: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly arguments?: readonly string[];
  /** Runs it as the child of a shell that the test can kill, with a stdin that stays open then. */
  readonly hasOwnParent?: boolean;
};

/** A pipe that is opened for both directions has a writer as long as it has a reader. */
const BEHIND_A_SHELL = ['/bin/sh', '-c', 'mkfifo stdin; exec 3<>stdin; "$0" "$@" <&3 & cat >&3'] as const;

/** Not yet initialized. */
export function spawnMcp({
  url,
  folder,
  variables = {},
  arguments: line = [],
  hasOwnParent = false,
}: McpChildOptions): McpChild {
  const [command, ...given] = [...(hasOwnParent ? BEHIND_A_SHELL : []), process.execPath, MCP_MAIN, ...line];
  const child = spawn(command ?? '', given, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, AUTOMEM_API_URL: url, ...variables },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    text.stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text.stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => undefined); // it may be gone while the test writes
  const ended = once(child, 'exit').then(() => child.exitCode ?? child.signalCode ?? 'unknown');
  return {
    process: child,
    ended,
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answerTo: (id) => until(`an answer to ${id}`, () => messagesIn(text.stdout).find((message) => message.id === id)),
    stdout: () => text.stdout,
    stderr: () => text.stderr,
  };
}

export const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

/** Throws where a whole line is no JSON. */
export function messagesIn(
  stdout: string,
): {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
