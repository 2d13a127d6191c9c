/**
 * The console as a public client of an OpenID Connect issuer: the authorization code (RFC 6749, section 4.1) with PKCE
 * (RFC 7636, S256), as RFC 9700 asks of programs in a browser. The ID token is not read, so there is no `nonce`: the
 * service checks the access token, and PKCE binds the code to this tab. The browser loads it when it is needed.
 */
import type { SignInDocument } from '../../../../shared/contract/graph-views/sign-in.js';
import { withTimeoutSignal } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';

/** What the tab remembers while its user is at the issuer. */
export type Begun = {
  readonly issuer: string;
  readonly state: string;
  /** Of PKCE. It stays in the tab until the code is redeemed. */
  readonly verifier: string;
};

export type Issued = {
  readonly token: string;
  /** Null where the issuer gives none. */
  readonly refreshToken: string | null;
};

/** Its message is for the user. */
export class SignInError extends Error {
  /** Whether the issuer refused, so that the same request has no success later. */
  readonly isRefusal: boolean;
  constructor(message: string, { isRefusal = false, cause }: { readonly isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

const ANSWER_MS = 10_000;
/** A browser does not say which of both it was. */
const ISSUER_AWAY = 'The issuer does not answer, or does not let this page read its answer (CORS)';
/** RFC 7636 needs at least 32 bytes. */
const RANDOM_BYTES = 32;
const TEXT_LENGTH = 300;

/** Reads the endpoints from the service. Throws SignInError with its reason. */
export async function readSignIn(url: string): Promise<SignInDocument> {
  const { ok, body } = await readAnswer(url, 'The service does not answer');
  // The console comes from the same service.
  if (ok) return body as unknown as SignInDocument;
  throw new SignInError(textIn(body, 'message') ?? 'The service does not know its issuer: try again later.');
}

/** Returns the address of the issuer to go to, and what the tab must remember. */
export async function begin(
  signIn: SignInDocument,
  redirectUri: string,
): Promise<{ readonly url: string; readonly begun: Begun }> {
  if (!('subtle' in crypto)) throw new SignInError('Browsers let a page sign in over https alone: open it by https.');
  const begun: Begun = { issuer: signIn.issuer, state: randomText(), verifier: randomText() };
  const url = new URL(signIn.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: signIn.client_id,
    redirect_uri: redirectUri,
    scope: signIn.scopes.join(' '),
    state: begun.state,
    code_challenge: await challengeOf(begun.verifier),
    code_challenge_method: 'S256',
    audience: signIn.audience, // Auth0 and Hydra read it, others ignore it
    ...resourceOf(signIn),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, begun };
}

/** RFC 7636, section 4.2. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

/**
 * Redeems the code of an answer. Throws SignInError for an answer that this tab did not ask for, before any request,
 * and for one of another issuer (RFC 9207).
 */
export async function redeem(
  query: URLSearchParams,
  begun: Begun | null,
  { redirectUri, url }: { readonly redirectUri: string; readonly url: string },
): Promise<Issued> {
  if (begun === null || query.get('state') !== begun.state)
    throw new SignInError(
      'This tab did not ask for this answer of an issuer, so it is not used. Sign in again if you want to.',
    );
  const signIn = await readSignIn(url);
  const code = codeIn(query, begun, signIn);
  return requestToken(signIn, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: begun.verifier,
  });
}

/** Of an answer with the right state. */
export function codeIn(query: URLSearchParams, { issuer }: Begun, signIn: SignInDocument): string {
  const named = query.get('iss') ?? (signIn.answers_have_issuer ? null : issuer);
  if (named !== issuer || signIn.issuer !== issuer)
    throw new SignInError('The answer is of another issuer than the sign-in, so it is not used. Sign in again.');
  const error = query.get('error');
  if (error !== null) throw refusalOf(error, query.get('error_description'));
  const code = query.get('code');
  if (code === null || code === '') throw new SignInError('The answer of the issuer has no code: sign in again.');
  return code;
}

/** RFC 6749, section 6. Throws SignInError; with `isRefusal` when the user must sign in again. */
export async function refresh(refreshToken: string, issuer: string, url: string): Promise<Issued> {
  const signIn = await readSignIn(url);
  if (signIn.issuer !== issuer) throw new SignInError('The service has another issuer now.', { isRefusal: true });
  const issued = await requestToken(signIn, { grant_type: 'refresh_token', refresh_token: refreshToken });
  return { token: issued.token, refreshToken: issued.refreshToken ?? refreshToken };
}

async function requestToken(signIn: SignInDocument, grant: Readonly<Record<string, string>>): Promise<Issued> {
  const { ok, body } = await readAnswer(signIn.token_endpoint, ISSUER_AWAY, {
    method: 'POST',
    body: new URLSearchParams({ ...grant, client_id: signIn.client_id, ...resourceOf(signIn) }),
  });
  const error = textIn(body, 'error');
  if (error !== null) throw refusalOf(error, textIn(body, 'error_description'));
  const token = textIn(body, 'access_token');
  if (!ok || token === null || textIn(body, 'token_type')?.toLowerCase() !== 'bearer')
    throw new SignInError('The issuer gave no access token: try again later.');
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/u.test(token))
    throw new SignInError(`The issuer gave a token that is no JWT. It must issue one for ${signIn.audience}.`);
  return { token, refreshToken: textIn(body, 'refresh_token') };
}

/** RFC 8707, where the audience is an address. Entra refuses the parameter, and its audiences are none. */
function resourceOf({ audience }: SignInDocument): { readonly resource?: string } {
  return /^https?:\/\/[^#]+$/iu.test(audience) ? { resource: audience } : {};
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The issuer did not allow the sign-in'],
  ['invalid_scope', 'The issuer does not give the scopes that the console asks for'],
  ['invalid_grant', 'The issuer does not accept the code or the session any more'],
  ['server_error', 'The issuer has a problem'],
  ['temporarily_unavailable', 'The issuer is busy'],
]);

/** RFC 6749, section 4.1.2.1. The texts come from outside: they have no controls and a limited length. */
function refusalOf(error: string, description: string | null): SignInError {
  const clean = (text: string): string =>
    text
      .slice(0, TEXT_LENGTH)
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim();
  const words = WORDS.get(error) ?? 'The issuer refused the sign-in';
  const isRefusal = error !== 'server_error' && error !== 'temporarily_unavailable';
  return new SignInError(`${words} (${clean(error)}).${description === null ? '' : ` ${clean(description)}`}`, {
    isRefusal,
  });
}

type Answer = { readonly ok: boolean; readonly body: Readonly<Record<string, unknown>> };

/** Follows no redirect, and sends no cookies. */
async function readAnswer(url: string, failure: string, request: RequestInit = {}): Promise<Answer> {
  try {
    return await withTimeoutSignal(ANSWER_MS, [], async (signal) => {
      const headers = { accept: 'application/json' };
      const response = await fetch(url, { ...request, headers, signal, redirect: 'error', credentials: 'omit' });
      const body: unknown = await response.json();
      return { ok: response.ok, body: isRecord(body) ? body : {} };
    });
  } catch (cause) {
    throw new SignInError(`${failure}: try again later, or enter a token.`, { cause });
  }
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
