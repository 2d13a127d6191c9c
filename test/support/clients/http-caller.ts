/** A small HTTP client for tests: JSON in, JSON out. Each status is an answer. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // Tests read answers of any shape and assert the parts that they read.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

export type CallOptions = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged, in place of `body`. */
  readonly raw?: string | Uint8Array;
  readonly signal?: AbortSignal;
};

export type HttpCaller = {
  readonly request: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
};

/** Sends requests to one base URL, with the bearer token if given. Rejects only if no answer arrives. */
export function createHttpCaller(url: string, token?: string): HttpCaller {
  return {
    request: async (method, path, { body, headers, raw, signal } = {}) => {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(payload === undefined ? {} : { body: payload }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : parse(text) };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
