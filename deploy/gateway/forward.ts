/** The instances of one API, and one attempt at one of them: an unsent request can go to another instance. */
import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { hasTooManyChunks } from '../../shared/http/request/read-bytes.js';

export type ForwardRequest = {
  readonly agent: Agent;
  readonly instance: URL;
  readonly method: string;
  /** Path and query string, as received. */
  readonly path: string;
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
  | { readonly kind: 'failed'; readonly status: 413 | 502 | 504; readonly wasSent: boolean; readonly error: Error };

export function forward({
  instance,
  body,
  connectTimeoutMs,
  answerTimeoutMs,
  ...head
}: ForwardRequest): Promise<Attempt> {
  return new Promise((resolve) => {
    const outgoing = request({ ...head, hostname: instance.hostname, port: instance.port });
    let wasSent = false;
    let status: 413 | 502 | 504 = 502;
    let timer: NodeJS.Timeout;
    const startTimer = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        status = 504;
        outgoing.destroy(new Error(`No answer from ${instance.host} within ${milliseconds} ms`));
      }, milliseconds);
    };
    const send = (): void => {
      wasSent = true;
      clearTimeout(timer);
      outgoing.once('finish', () => startTimer(answerTimeoutMs));
      if (body === null) outgoing.end();
      else sendBody(body);
    };
    const sendBody = (from: IncomingMessage): void => {
      let [chunks, bytes] = [0, 0];
      const watch = (chunk: Buffer): void => {
        bytes += chunk.length;
        chunks += 1;
        if (!hasTooManyChunks({ chunks, bytes })) return;
        status = 413;
        from.off('data', watch).unpipe(outgoing).resume(); // not kept until the answer
        outgoing.destroy(new Error('The body has too many chunks'));
      };
      from.on('data', watch);
      from.pipe(outgoing);
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
      resolve({ kind: 'failed', status, wasSent, error });
    });
  });
}

/** In round-robin order: instances that failed a moment ago come last, full ones are left out. */
export type Instance = {
  readonly url: URL;
  /** Running requests. */
  inFlight: number;
  /** Time of the last failure on the monotonic clock; -Infinity before the first failure. */
  failedAt: number;
};

export interface Balancer {
  /** The instances that can take a request now, in the order to try them. Empty when all are full. */
  candidates(): readonly Instance[];
}

/** For this long after a failure an instance comes last; the same as `fail_timeout` of nginx. */
const COOL_DOWN_MS = 1_000;

export function createBalancer(
  urls: readonly URL[],
  { requestsPerInstance }: { readonly requestsPerInstance: number },
): Balancer {
  const instances = urls.map((url): Instance => ({ url, inFlight: 0, failedAt: -Infinity }));
  let first = 0;
  return {
    candidates: () => {
      first = (first + 1) % instances.length;
      const now = performance.now();
      const isCoolingDown = ({ failedAt }: Instance): boolean => now - failedAt < COOL_DOWN_MS;
      const rotated = [...instances.slice(first), ...instances.slice(0, first)].filter(
        ({ inFlight }) => inFlight < requestsPerInstance,
      );
      return [...rotated.filter((instance) => !isCoolingDown(instance)), ...rotated.filter(isCoolingDown)];
    },
  };
}
