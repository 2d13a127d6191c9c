/** The parts of an attack: what one caller sends to make the answers to all other callers slow or wrong. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

export type AttackClass = 'connection' | 'body' | 'query' | 'graph' | 'jobs' | 'MCP' | 'background';

/** Where the attacker sends its requests, and the data that it stored before. */
export type Target = {
  readonly url: string;
  readonly mcpUrl: string;
  /** The attacker has a token of its own. */
  readonly token: string;
  /** A memory with many associations, and the memories at their other ends. */
  readonly hub: string;
  readonly spokes: readonly string[];
};

export type Request = {
  /** Default GET. */
  readonly method?: string;
  /** Of the service; absent for MCP. */
  readonly path?: string;
  readonly body?: Buffer | undefined;
  readonly headers?: OutgoingHttpHeaders;
  /** Another token than that of the attacker, or null for none. */
  readonly token?: string | null;
};

export type Attacker = {
  readonly target: Target;
  /** Sends requests, all of them at the same time unless `atATime` limits it. Resolves after the last answer. */
  readonly flood: (count: number, request: (index: number) => Request, atATime?: number) => Promise<unknown>;
  /** Opens sockets to the service. Resolves when all of them are closed. */
  readonly connect: (count: number, use: (socket: Socket, index: number) => void) => Promise<unknown>;
};

export type Attack = {
  readonly class: AttackClass;
  readonly name: string;
  /** Makes the bodies before the attack begins. */
  readonly prepare?: (target: Target) => readonly Buffer[];
  /** Begins the attack. It is ended after ATTACK_MS. `body`: the prepared bodies in turn. */
  readonly attack: (attacker: Attacker, body: (index?: number) => Buffer) => Promise<unknown>;
};

/** After this time the attacker destroys its sockets. Above every bound, so that a starved call is noticed. */
export const ATTACK_MS = 1_700;

export const WRONG_TOKEN = 'not-a-token-of-this-service';

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** `count` items. */
export function many<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

export function named(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(many(count, (index) => [`name${index}`, 0]));
}

/** A request as text for a socket, without its body. */
export function headOf(
  { token }: Target,
  line: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const all = { host: 'localhost', authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Writes a piece at intervals until the socket is closed. */
export function drip(socket: Socket, everyMs: number, piece: string): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
}
