/**
 * Authentication: finds the caller of a request, and checks that its tier or the scopes of its key allow the operation.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../contract/envelope.js';
import type { KeyQuota } from '../contract/maintenance/keys.js';
import type { Operation } from '../contract/operation.js';
import type { Scope } from '../contract/scopes.js';
import { ForbiddenError, type Help, UnauthenticatedError } from '../kernel/errors.js';
import { isKey } from '../kernel/keys.js';

/** `name` is the name of the caller in events; null uses the first digits of the hash of the token. */
export type NamedToken = { readonly name: string | null; readonly token: string };
/** Without an `api` token the API is open; without another token its operations are closed. */
export type Tokens = {
  readonly api: readonly NamedToken[];
  readonly admin: string | null;
  readonly internal: string | null;
};

/** Tiers with the same token, as text for the log: its holder has the rights of both. */
export function sharedTokens({ api, admin, internal }: Tokens): readonly string[] {
  const isApi = (token: string | null): boolean => api.some((known) => known.token === token);
  return [
    ...(isApi(admin) ? ['API and admin'] : []),
    ...(isApi(internal) ? ['API and internal'] : []),
    ...(admin !== null && admin === internal ? ['admin and internal'] : []),
  ];
}

export type Caller = {
  readonly name: string;
  readonly tier: Actor['tier'];
  /** Identifies the caller without its token: callers with the same Idempotency-Key share no command. */
  readonly scope: string;
  /** Of a key. Without it the caller may do all that its tier may do. */
  readonly scopes?: readonly Scope[];
  /** Of a key that is restricted to a tag. */
  readonly tag?: string | null;
  /** Of a key with a rate. */
  readonly quota?: KeyQuota | undefined;
  /** Of a key: whether it still works. */
  readonly isValid?: () => Promise<boolean>;
};

export type Credentials = { readonly headers: IncomingHttpHeaders; readonly query: URLSearchParams };

const ANONYMOUS: Caller = { name: 'anonymous', tier: 'open', scope: 'open' };
const NAME_DIGITS = 12;

/** Returns the caller, or throws the error for the response. */
export type Authenticate = (access: Operation['access'], credentials: Credentials) => Caller;

export function createAuthenticate({ api, admin, internal }: Tokens): Authenticate {
  const known = api.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  const adminDigest = admin === null ? null : digestOf(admin);
  const internalDigest = internal === null ? null : digestOf(internal);

  return (access, credentials) => {
    if (access === 'public') return ANONYMOUS;
    if (access === 'internal') return internalCaller(internalDigest, headerIn(credentials.headers, 'x-internal-token'));
    if (access === 'admin_alone') return adminCaller(requireAdmin(adminDigest, credentials));
    const caller = known.length === 0 ? ANONYMOUS : callerOf(known, credentials);
    if (access === 'api') return caller;
    requireAdmin(adminDigest, credentials);
    return { ...caller, tier: 'admin' };
  };
}

/**
 * Null: the key is not complete, unknown, revoked or expired. Throws DependencyError while it cannot be checked.
 * `isUse`: false while a request with it goes on.
 */
export type CheckKey = (key: string, options?: { readonly isUse: boolean }) => Promise<CheckedKey | null>;

export type CheckedKey = Pick<Caller, 'name' | 'quota'> & {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly tag: string | null;
};

/** `scope`: what a key needs for the operation; null: a valid key is enough. */
export type Asked = { readonly access: Operation['access']; readonly scope: Scope | null };
/** As `Authenticate`; also throws DependencyError while a key cannot be checked. */
export type AuthenticateWithKeys = (asked: Asked, credentials: Credentials) => Promise<Caller>;

/** A key replaces all tokens: it may do what its scopes name, also where others need the admin token. */
export function createAuthenticateWithKeys(tokens: Tokens, checkKey: CheckKey | undefined): AuthenticateWithKeys {
  const byToken = createAuthenticate(tokens);
  return async ({ access, scope }, credentials) => {
    const token = access === 'public' || access === 'internal' ? null : apiTokenIn(credentials);
    if (checkKey === undefined || token === null || !isKey(token)) return byToken(access, credentials);
    const key = await checkKey(token);
    if (key === null) throw new UnauthenticatedError('Unauthorized', 'api', KEY_HELP);
    const { id, name, scopes, tag, quota } = key;
    if (scope !== null && !scopes.includes(scope))
      throw new ForbiddenError(`The key '${name}' lacks the scope ${scope}`, { hint: SCOPE_HINT });
    const isValid = async (): Promise<boolean> => (await checkKey(token, { isUse: false })) !== null;
    return { name, tier: access === 'api' ? 'api' : 'admin', scope: `key ${id}`, scopes, tag, quota, isValid };
  };
}

const KEY_HELP: Help = {
  detail: 'The key is not complete, is unknown, was revoked or has expired.',
  hint: 'Send the whole key as it was shown, or ask an administrator for a new one.',
};
const SCOPE_HINT = 'Use a key that has this scope: an administrator makes one with POST /admin/keys.';

const ADMIN_HINT = 'Set ADMIN_API_TOKEN for the service, and send its value as X-Admin-Token.';

/** Returns the digest of the admin token. */
function requireAdmin(expected: Buffer | null, credentials: Credentials): Buffer {
  if (expected === null) throw new ForbiddenError('Admin token not configured', { hint: ADMIN_HINT });
  const given = adminTokenIn(credentials);
  if (!matchesDigest(given, expected))
    throw new UnauthenticatedError('Admin authorization required', 'admin', adminHelp(given));
  return expected;
}

/** Without an API token the caller has the name of its admin token. */
function adminCaller(digest: Buffer): Caller {
  const scope = digest.toString('hex');
  return { name: scope.slice(0, NAME_DIGITS), tier: 'admin', scope };
}

/** A process of ours sends its token only as a header, so that no log of addresses contains it. */
function internalCaller(expected: Buffer | null, given: string | null): Caller {
  if (expected === null)
    throw new ForbiddenError('Internal token not configured: set INTERNAL_API_TOKEN, to the same for every process');
  if (!matchesDigest(given, expected))
    throw new UnauthenticatedError(
      'Internal authorization required: send INTERNAL_API_TOKEN as X-Internal-Token',
      'internal',
    );
  return { name: 'internal', tier: 'internal', scope: expected.toString('hex') };
}

type KnownToken = { readonly name: string | null; readonly digest: Buffer };

function callerOf(known: readonly KnownToken[], credentials: Credentials): Caller {
  const token = apiTokenIn(credentials);
  const digest = digestOf(token ?? '');
  // Compares with every token in constant time, so that the duration reveals nothing about a token.
  const matching = known.filter((candidate) => timingSafeEqual(candidate.digest, digest));
  const [found] = matching;
  if (token === null || !found)
    throw new UnauthenticatedError('Unauthorized', 'api', apiHelp(token, credentials.headers));
  const scope = digest.toString('hex');
  return { name: found.name ?? scope.slice(0, NAME_DIGITS), tier: 'api', scope };
}

/** A Bearer header is final: when it is wrong, no other source is tried. Other authorization schemes are ignored. */
function apiTokenIn({ headers, query }: Credentials): string | null {
  const bearer = /^\s*bearer(?:\s(?<token>.*))?$/iu.exec(headers.authorization ?? '');
  if (bearer) return bearer.groups?.['token']?.trim() ?? '';
  return headerIn(headers, 'x-api-key') ?? nonBlankOrNull(query.get('api_key'));
}

function apiHelp(token: string | null, { authorization }: IncomingHttpHeaders): Help {
  const hint = 'Send the API token of the service as Authorization: Bearer <token>, or as X-API-Key.';
  if (token === '') return { detail: 'The Authorization header has no token after Bearer.', hint };
  if (token !== null) return { detail: 'The token is not one of the tokens of this service.', hint };
  if (authorization === undefined) return { detail: 'The request has no token.', hint };
  return { detail: 'The Authorization header has another scheme than Bearer.', hint };
}

function adminHelp(given: string | null): Help {
  return {
    detail: given === null ? 'The request has no admin token.' : 'The admin token is wrong.',
    hint: 'Send the admin token as X-Admin-Token, in addition to the API token.',
  };
}

function adminTokenIn({ headers, query }: Credentials): string | null {
  return (
    headerIn(headers, 'x-admin-token') ??
    headerIn(headers, 'x-admin-api-key') ??
    nonBlankOrNull(query.get('admin_token'))
  );
}

function headerIn(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return nonBlankOrNull(Array.isArray(value) ? value[0] : value);
}

function nonBlankOrNull(value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function matchesDigest(given: string | null, expected: Buffer): boolean {
  return given !== null && timingSafeEqual(digestOf(given), expected);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
