/**
 * Sends a request to one instance, once. The result says if anything was sent, because an unsent request can go to
 * another instance.
 */
import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

export type ForwardRequest = {
  readonly agent: Agent;
  readonly instance: URL;
  readonly method: string;
  /** Path and query string, as received. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  /** Read only after the instance has accepted the connection; null for a request without a body. */
  readonly body: IncomingMessage | null;
  readonly connectTimeoutMs: number;
  /** Counted from the moment when the whole request has been sent. */
  readonly answerTimeoutMs: number;
  /** Aborted when the client has closed its connection. */
  readonly signal: AbortSignal;
};

export type Attempt =
  | { readonly kind: 'answered'; readonly response: IncomingMessage }
  | { readonly kind: 'failed'; readonly status: 502 | 504; readonly wasSent: boolean; readonly error: Error };

export function forward({
  agent,
  instance,
  method,
  target,
  headers,
  body,
  connectTimeoutMs,
  answerTimeoutMs,
  signal,
}: ForwardRequest): Promise<Attempt> {
  return new Promise((resolve) => {
    const outgoing = request({
      agent,
      hostname: instance.hostname,
      port: instance.port,
      method,
      path: target,
      headers,
      signal,
    });
    let wasSent = false;
    let isLate = false;
    let timer: NodeJS.Timeout;
    const startTimer = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isLate = true;
        outgoing.destroy(new Error(`No answer from ${instance.host} within ${milliseconds} ms`));
      }, milliseconds);
    };
    const send = (): void => {
      wasSent = true;
      clearTimeout(timer);
      outgoing.once('finish', () => startTimer(answerTimeoutMs));
      if (body === null) outgoing.end();
      else body.pipe(outgoing);
    };
    startTimer(connectTimeoutMs);
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
    outgoing.once('response', (response) => {
      clearTimeout(timer);
      resolve({ kind: 'answered', response });
    });
    // After an answer, the reader of the response receives the error; a second resolve has no effect.
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      resolve({ kind: 'failed', status: isLate ? 504 : 502, wasSent, error });
    });
  });
}
