/** The HTTP side that AutoMem's clients have in common: headers, which answers they send a request again for, and where they look for the reason. */
import type { Answer, HttpCaller } from './http-caller.js';
import type { ClientRequest } from './existing-client-requests.js';

export type ExistingClient = {
  /** The body of the answer. Rejects with the text that the client would show, and the status. */
  // As they read: without a schema.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly send: (request: ClientRequest) => Promise<any>;
};

export type Habits = {
  readonly token?: string;
  readonly retries: number;
  readonly isRetried: (status: number) => boolean;
  /** Said behind the reason of a 401 and a 403. */
  readonly hint: string;
};

/** `beforeRetry` is for the test: what happens in the pause, which itself is left out. */
export function createExistingClient(
  { request }: HttpCaller,
  habits: Habits,
  beforeRetry: () => void = () => undefined,
): ExistingClient {
  const headers: Record<string, string> = habits.token === undefined ? {} : { Authorization: `Bearer ${habits.token}` };
  return {
    send: async ({ method, path, body }) => {
      const ask = () => request(method, path, { headers, ...(body === undefined ? {} : { body }) });
      let answer = await ask();
      for (let attempt = 0; attempt < habits.retries && habits.isRetried(answer.status); attempt += 1) {
        beforeRetry();
        answer = await ask();
      }
      if (answer.status < 400) return answer.body;
      throw new ClientError(reasonOf(answer) + ([401, 403].includes(answer.status) ? habits.hint : ''), answer.status);
    },
  };
}

/** The bridge, and what uses its client: the command line, the queue and the OpenClaw plugin. */
export const BRIDGE_HABITS: Habits = {
  retries: 3,
  isRetried: (status) => status >= 500,
  hint: ' (check AUTOMEM_API_KEY or AUTOMEM_API_TOKEN)',
};
export const SIDECAR_HABITS: Habits = {
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
