/** Exchanges bytes with a port of this machine once: enough for a health check of any server in its own protocol. */
import { connect } from 'node:net';

export const HEALTH_TIMEOUT_MS = 2_000;
const HOST = '127.0.0.1';

/** The first `length` bytes of the answer to `request`; null when they do not arrive in time. */
export function sendToPort(port: number, request: Buffer, length: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const socket = connect({ host: HOST, port });
    const end = (result: Buffer | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end(null), HEALTH_TIMEOUT_MS);
    socket.once('connect', () => socket.write(request));
    socket.once('error', () => end(null));
    socket.once('close', () => end(null));
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length >= length) end(answer.subarray(0, length));
    });
  });
}

/** True when a process listens on the port. */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    const end = (isTaken: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isTaken);
    };
    // No connection within this time means that a listener is blocked.
    const timer = setTimeout(() => end(true), HEALTH_TIMEOUT_MS);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** True when a GET of `path` answers 200. */
export async function isReadyOverHttp(port: number, path: string): Promise<boolean> {
  return (await statusOf(port, path)) === 200;
}

/** True when the port answers HTTP with any status. */
export async function answersHttp(port: number): Promise<boolean> {
  return (await statusOf(port, '/livez')) !== null;
}

async function statusOf(port: number, path: string): Promise<number | null> {
  const answer = await sendToPort(port, Buffer.from(`GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`), 12);
  const status = /^HTTP\/1\.[01] (\d{3})$/u.exec(answer?.toString('latin1') ?? '')?.[1];
  return status === undefined ? null : Number(status);
}
