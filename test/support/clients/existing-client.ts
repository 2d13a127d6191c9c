/**
 * The HTTP behaviour that AutoMem's clients share: headers, the statuses that they retry, and the fields with the error
 * reason.
 */
import type { ClientRequest } from '../fixtures/existing-client-requests.js';
import type { Answer, HttpCaller } from './http-caller.js';

export type ExistingClient = {
  /** Resolves with the body of the answer. Rejects with the status and the text that the client shows. */
  // The clients read bodies without a schema.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly send: (request: ClientRequest) => Promise<any>;
};

export type RetryBehaviour = {
  readonly token?: string;
  readonly retries: number;
  readonly isRetried: (status: number) => boolean;
  /** Appended to the reason of a 401 or 403. */
  readonly hint: string;
};

/** Retries without a pause; `beforeRetry` runs in its place, for the test. */
export function createExistingClient(
  { request }: HttpCaller,
  behaviour: RetryBehaviour,
  beforeRetry: () => void = () => undefined,
): ExistingClient {
  const headers: Record<string, string> =
    behaviour.token === undefined ? {} : { Authorization: `Bearer ${behaviour.token}` };
  return {
    send: async ({ method, path, body }) => {
      const sendOnce = () => request(method, path, { headers, ...(body === undefined ? {} : { body }) });
      let answer = await sendOnce();
      for (let attempt = 0; attempt < behaviour.retries && behaviour.isRetried(answer.status); attempt += 1) {
        beforeRetry();
        answer = await sendOnce();
      }
      if (answer.status < 400) return answer.body;
      throw new ClientError(
        reasonOf(answer) + ([401, 403].includes(answer.status) ? behaviour.hint : ''),
        answer.status,
      );
    },
  };
}

/** The bridge and the programs that use its client: the command line, the queue and the OpenClaw plugin. */
export const BRIDGE_BEHAVIOUR: RetryBehaviour = {
  retries: 3,
  isRetried: (status) => status >= 500,
  hint: ' (check AUTOMEM_API_KEY or AUTOMEM_API_TOKEN)',
};
export const SIDECAR_BEHAVIOUR: RetryBehaviour = {
  retries: 2,
  isRetried: (status) => [408, 429, 502, 503, 504].includes(status),
  hint: '',
};

export class ClientError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

function reasonOf({ status, body }: Answer): string {
  return body?.message || body?.detail || `HTTP ${status}`;
}
