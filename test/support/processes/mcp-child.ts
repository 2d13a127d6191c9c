/** The MCP bridge over stdio as a bare process, for input that the official client never sends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../checks/until.js';
import { MCP_MAIN } from '../clients/mcp.js';

export type McpChild = {
  readonly process: ChildProcessWithoutNullStreams;
  readonly send: (message: object) => void;
  /** Resolves with the answer to the request with this id. */
  readonly answerTo: (id: number) => Promise<{
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  }>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit code or the name of the signal. */
  readonly ended: Promise<number | string>;
};

export type McpChildOptions = {
  readonly url: string;
  readonly folder: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly arguments?: readonly string[];
  /** Runs the bridge as the child of a shell. The test can kill the shell, and stdin of the bridge stays open. */
  readonly hasOwnParent?: boolean;
};

/** A pipe that is open in both directions keeps a writer as long as it has a reader. */
const SHELL_WRAPPER = ['/bin/sh', '-c', 'mkfifo stdin; exec 3<>stdin; "$0" "$@" <&3 & cat >&3'] as const;

/** Starts the bridge. The MCP session is not initialized yet. */
export function spawnMcp({
  url,
  folder,
  variables = {},
  arguments: mainArguments = [],
  hasOwnParent = false,
}: McpChildOptions): McpChild {
  const [command, ...given] = [...(hasOwnParent ? SHELL_WRAPPER : []), process.execPath, MCP_MAIN, ...mainArguments];
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
  child.stdin.on('error', () => undefined); // the process may end while the test writes
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

/** Parses each complete line of stdout. Throws if one is not JSON. */
export function messagesIn(stdout: string): {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
