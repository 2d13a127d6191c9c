/** One attempt to have one instance answer a request. It tells whether anything was sent, because what was not can be given to another instance. */
import { request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

export type Forwarding = {
  readonly agent: Agent;
  readonly instance: URL;
  readonly method: string;
  /** Path and query string, as they came. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  /** Read only once the instance has accepted; null when there is none. */
  readonly body: IncomingMessage | null;
  readonly connectTimeoutMs: number;
  /** From the moment that the whole request has been sent. */
  readonly answerTimeoutMs: number;
  /** The client has gone. */
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
}: Forwarding): Promise<Attempt> {
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
    const allow = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isLate = true;
        outgoing.destroy(new Error(`No answer from ${instance.host} within ${milliseconds} ms`));
      }, milliseconds);
    };
    const send = (): void => {
      wasSent = true;
      clearTimeout(timer);
      outgoing.once('finish', () => allow(answerTimeoutMs));
      if (body === null) outgoing.end();
      else body.pipe(outgoing);
    };
    allow(connectTimeoutMs);
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
    outgoing.once('response', (response) => {
      clearTimeout(timer);
      resolve({ kind: 'answered', response });
    });
    // Once there is an answer its reader learns what broke; a second resolve changes nothing.
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      resolve({ kind: 'failed', status: isLate ? 504 : 502, wasSent, error });
    });
  });
}
