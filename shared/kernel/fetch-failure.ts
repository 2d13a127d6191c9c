/**
 * Why a request by `fetch` got no answer. Only an address without a server asks its reader to start the server or to
 * change the address.
 */

export type FetchFailure = {
  /** `unreachable`: no connection was made, and nothing was sent. */
  readonly kind: 'unreachable' | 'timeout' | 'lost' | 'tls' | 'other';
  /** Of the system, of TLS or of the HTTP client; empty when no error of the chain has one. */
  readonly code: string;
  /** Of the error that says why; `fetch failed` itself does not. It may contain the address. */
  readonly message: string;
};

const KINDS: Readonly<Record<string, FetchFailure['kind']>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  UND_ERR_SOCKET: 'lost',
  EPROTO: 'tls',
};
const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/u;

export function fetchFailure(error: unknown): FetchFailure {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && !causes.includes(next); next = next.cause) causes.push(next);
  const coded = causes.find((cause) => codeOf(cause) !== '');
  const code = coded ? codeOf(coded) : '';
  const kind = KINDS[code] ?? (TLS_CODE.test(code) ? 'tls' : 'other');
  // For a host name with several addresses, the error has a code and no message.
  return { kind, code, message: (coded ?? causes.at(-1))?.message || code || String(error) };
}

/** Completes "The service at ADDRESS ...". */
export function failureClause(error: unknown): string {
  const { kind, message } = fetchFailure(error);
  if (kind === 'timeout') return 'did not answer in time';
  return `${kind === 'unreachable' ? 'cannot be reached' : 'did not answer'} (${message})`;
}

/** A DOMException has a number as code. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
