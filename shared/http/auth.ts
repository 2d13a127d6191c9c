/**
 * Authentication: finds the caller of a request, and checks that its tier or its scopes allow the operation.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Actor } from '../contract/envelope.js';
import type { KeyQuota } from '../contract/maintenance/keys.js';
import { ADMIN_REFUSED, type Operation } from '../contract/operation.js';
import type { Scope } from '../contract/scopes.js';
import { ForbiddenError, type Help, UnauthenticatedError } from '../kernel/errors.js';
import { tenantOfInternalToken } from '../kernel/keys.js';

/** `name` is the name of the caller in events; null uses the first digits of the hash of the token. */
export type NamedToken = { readonly name: string | null; readonly token: string };
/** Without an `api` token the API is open, unless a kind of bearer text closes it. Other operations are then closed. */
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
  /** Of a key or a token of the issuer. Without it the caller may do all that its tier may do. */
  readonly scopes?: readonly Scope[];
  /** Of a key that is restricted to a tag. */
  readonly tag?: string | null;
  /** The id of its tenant; null or absent: the default one. */
  readonly tenant?: string | null;
  /** Of a key with a rate. */
  readonly quota?: KeyQuota | undefined;
  /** Of a key or a token of the issuer: whether it still works. */
  readonly isValid?: () => Promise<boolean>;
};

export type Credentials = { readonly headers: IncomingHttpHeaders; readonly query: URLSearchParams };

const ANONYMOUS: Caller = { name: 'anonymous', tier: 'open', scope: 'open' };
const NAME_DIGITS = 12;

/** Returns the caller, or throws the error for the response. */
export type Authenticate = (access: Operation['access'], credentials: Credentials) => Caller;

export function createAuthenticate({ api, admin, internal }: Tokens, isOpen = api.length === 0): Authenticate {
  const known = knownOf(api);
  const adminDigest = admin === null ? null : digestOf(admin);

  return (access, credentials) => {
    if (access === 'public') return ANONYMOUS;
    if (access === 'internal') return internalCaller(internal, headerIn(credentials.headers, 'x-internal-token'));
    if (access === 'admin_alone') return adminCaller(requireAdmin(adminDigest, credentials));
    const caller = isOpen ? ANONYMOUS : callerOf(known, credentials);
    if (access === 'api') return caller;
    requireAdmin(adminDigest, credentials);
    return { ...caller, tier: 'admin' };
  };
}

/** Who a bearer text belongs to, and what it may do. */
export type Holder = Required<Pick<Caller, 'name' | 'scope' | 'scopes' | 'tag' | 'tenant' | 'isValid'>> &
  Pick<Caller, 'quota'> & {
    /** For messages: `The key 'agent-1'`. */
    readonly title: string;
    /** How the caller gets a scope that is missing. */
    readonly scopeHint: string;
  };

/** A kind of text that callers send as their token, in addition to the tokens of the environment. */
export type BearerKind = {
  /** By its form. `isBearer`: the text comes from an Authorization header. */
  readonly recognizes: (text: string, isBearer: boolean) => boolean;
  /** Throws UnauthenticatedError for a text that is refused, and DependencyError while it cannot be checked. */
  readonly check: (text: string) => Promise<Holder>;
  /** True: an API without a token of the environment is not open. */
  readonly closesApi: boolean;
  /** Whether the text names a tenant: then public operations, too, answer for this tenant. */
  readonly namesTenant: (text: string) => boolean;
};

/** `scope`: what a bearer text needs for the operation; null: a valid one is enough. */
export type Asked = { readonly access: Operation['access']; readonly scope: Scope | null };
/** As `Authenticate`; also throws DependencyError while a bearer text cannot be checked. */
export type AuthenticateBearer = (asked: Asked, credentials: Credentials) => Promise<Caller>;

/** A recognized text replaces all tokens: it may do what its scopes name, also where others need the admin token. */
export function createAuthenticateBearer(tokens: Tokens, kinds: readonly BearerKind[]): AuthenticateBearer {
  const known = knownOf(tokens.api);
  const byToken = createAuthenticate(tokens, known.length === 0 && !kinds.some(({ closesApi }) => closesApi));
  return async ({ access, scope }, credentials) => {
    const token = access === 'internal' ? null : apiTokenIn(credentials);
    if (token === null || findKnown(known, token) !== undefined) return byToken(access, credentials);
    const isBearer = bearerIn(credentials.headers) !== null;
    const kind = kinds.find(({ recognizes }) => recognizes(token, isBearer));
    if (kind === undefined || (access === 'public' && !kind.namesTenant(token))) return byToken(access, credentials);
    if (access === 'public') return holderOrAnonymous(kind, token);
    const { title, scopeHint, ...holder } = await kind.check(token);
    if (scope !== null && !holder.scopes.includes(scope))
      throw new ForbiddenError(`${title} lacks the scope ${scope}`, { hint: scopeHint }, [...holder.scopes, scope]);
    return { ...holder, tier: access === 'api' ? 'api' : 'admin' };
  };
}

/** A text that is refused is no reason to refuse a public operation. */
async function holderOrAnonymous({ check }: BearerKind, token: string): Promise<Caller> {
  try {
    const { title: _title, scopeHint: _scopeHint, ...holder } = await check(token);
    return { ...holder, tier: 'api' };
  } catch (error) {
    if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return ANONYMOUS;
    throw error;
  }
}

const CALLER_CHECKED_EVERY_MS = 250;

/**
 * Rejects with the reason when the key or token of the caller no longer works, or cannot be checked for long. Cuts a
 * response that has begun. Adds to `ends` what stops the checks.
 */
export function whenRefused({ isValid }: Caller, response: ServerResponse, ends: (() => void)[]): Promise<never> {
  const refused = new Promise<never>((_, reject) => {
    if (isValid === undefined) return;
    const check = async (): Promise<void> => {
      try {
        if (await isValid()) return;
        reject(new UnauthenticatedError('Unauthorized', 'api', { detail: 'The key or token no longer works.' }));
      } catch (error) {
        reject(error as Error);
      }
      if (response.headersSent) response.destroy();
    };
    const timer = setInterval(() => void check(), CALLER_CHECKED_EVERY_MS).unref();
    ends.push(() => clearInterval(timer));
  });
  refused.catch(() => undefined); // a response that has begun has no status to change
  return refused;
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

const ADMIN_HINT = 'Set ADMIN_API_TOKEN for the service, and send its value as X-Admin-Token.';

/** Returns the digest of the admin token. */
function requireAdmin(expected: Buffer | null, credentials: Credentials): Buffer {
  if (expected === null) throw new ForbiddenError('Admin token not configured', { hint: ADMIN_HINT });
  const given = adminTokenIn(credentials);
  if (!matchesDigest(given, expected)) throw new UnauthenticatedError(ADMIN_REFUSED, 'admin', adminHelp(given));
  return expected;
}

/** Without an API token the caller has the name of its admin token. */
function adminCaller(digest: Buffer): Caller {
  const scope = digest.toString('hex');
  return { name: scope.slice(0, NAME_DIGITS), tier: 'admin', scope };
}

/** A process of ours sends its token only as a header, so that no log of addresses contains it. */
function internalCaller(token: string | null, given: string | null): Caller {
  if (token === null)
    throw new ForbiddenError('Internal token not configured: set INTERNAL_API_TOKEN, to the same for every process');
  const tenant = given === null ? null : tenantOfInternalToken(given, token);
  const expected = digestOf(token);
  if (tenant === null && !matchesDigest(given, expected))
    throw new UnauthenticatedError(
      'Internal authorization required: send INTERNAL_API_TOKEN as X-Internal-Token',
      'internal',
    );
  return { name: 'internal', tier: 'internal', scope: expected.toString('hex'), tenant };
}

type KnownToken = { readonly name: string | null; readonly digest: Buffer };

function callerOf(known: readonly KnownToken[], credentials: Credentials): Caller {
  const token = apiTokenIn(credentials);
  const found = token === null ? undefined : findKnown(known, token);
  if (found === undefined) throw new UnauthenticatedError('Unauthorized', 'api', apiHelp(token, credentials.headers));
  const scope = found.digest.toString('hex');
  return { name: found.name ?? scope.slice(0, NAME_DIGITS), tier: 'api', scope };
}

function knownOf(tokens: readonly NamedToken[]): readonly KnownToken[] {
  return tokens.map(({ name, token }) => ({ name, digest: digestOf(token) }));
}

/** Compares with every token in constant time, so that the duration reveals nothing about a token. */
function findKnown(known: readonly KnownToken[], token: string): KnownToken | undefined {
  const digest = digestOf(token);
  return known.filter((candidate) => timingSafeEqual(candidate.digest, digest))[0];
}

/** A Bearer header is final: when it is wrong, no other source is tried. Other authorization schemes are ignored. */
function apiTokenIn({ headers, query }: Credentials): string | null {
  return bearerIn(headers) ?? headerIn(headers, 'x-api-key') ?? nonBlankOrNull(query.get('api_key'));
}

/** Blank for a header without a token; null for none, or another scheme. */
function bearerIn({ authorization = '' }: IncomingHttpHeaders): string | null {
  const bearer = /^\s*bearer(?:\s(?<token>.*))?$/iu.exec(authorization);
  return bearer && (bearer.groups?.['token']?.trim() ?? '');
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
