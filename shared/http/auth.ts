/** The tiers of tokens: which caller a request comes from, and whether it may do what it asks. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../contract/envelope.js';
import type { Operation } from '../contract/operations.js';
import { ForbiddenError, UnauthenticatedError } from '../kernel/errors.js';

/** `name` is what events call the caller; null takes the beginning of the token's hash. */
export type NamedToken = { readonly name: string | null; readonly token: string };
/** No `api` token: the API is open to everyone. No `admin` or `internal` token: what needs one is closed. */
export type Tokens = {
  readonly api: readonly NamedToken[];
  readonly admin: string | null;
  readonly internal: string | null;
};

export type Caller = {
  readonly name: string;
  readonly tier: Actor['tier'];
  /** Tells callers apart without holding their token: keys of one caller are not the keys of another. */
  readonly scope: string;
};

export type Credentials = { readonly headers: IncomingHttpHeaders; readonly query: URLSearchParams };

const ANONYMOUS: Caller = { name: 'anonymous', tier: 'open', scope: 'open' };
const NAME_DIGITS = 12;

/** Gives the caller, or throws what is to be answered. */
export type Authenticate = (access: Operation['access'], credentials: Credentials) => Caller;

export function createAuthenticate({ api, admin, internal }: Tokens): Authenticate {
  const known = api.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  const adminDigest = admin === null ? null : digestOf(admin);
  const internalDigest = internal === null ? null : digestOf(internal);

  return (access, credentials) => {
    if (access === 'public') return ANONYMOUS;
    if (access === 'internal') return internalCaller(internalDigest, headerIn(credentials.headers, 'x-internal-token'));
    const caller = known.length === 0 ? ANONYMOUS : callerOf(known, apiTokenIn(credentials));
    if (access === 'api') return caller;
    if (adminDigest === null) throw new ForbiddenError('Admin token not configured');
    const given = adminTokenIn(credentials);
    if (!isSame(given, adminDigest)) throw new UnauthenticatedError('Admin authorization required');
    return { ...caller, tier: 'admin' };
  };
}

/** Processes of ours: their token alone, and only as a header, so that it is in no log of addresses. */
function internalCaller(expected: Buffer | null, given: string | null): Caller {
  if (expected === null)
    throw new ForbiddenError('Internal token not configured: set INTERNAL_API_TOKEN, to the same for every process');
  if (!isSame(given, expected))
    throw new UnauthenticatedError('Internal authorization required: send INTERNAL_API_TOKEN as X-Internal-Token');
  return { name: 'internal', tier: 'internal', scope: expected.toString('hex') };
}

type KnownToken = { readonly name: string | null; readonly digest: Buffer };

function callerOf(known: readonly KnownToken[], token: string | null): Caller {
  const digest = digestOf(token ?? '');
  // Every token is compared, in the same time: how long it takes tells nothing about which one was near.
  const matching = known.filter((candidate) => timingSafeEqual(candidate.digest, digest));
  const [found] = matching;
  if (token === null || !found) throw new UnauthenticatedError('Unauthorized');
  const scope = digest.toString('hex');
  return { name: found.name ?? scope.slice(0, NAME_DIGITS), tier: 'api', scope };
}

/** A Bearer header is final: a wrong one is not rescued by another way. Other schemes are not ours to judge. */
function apiTokenIn({ headers, query }: Credentials): string | null {
  const bearer = /^\s*bearer(?:\s+(?<token>.*))?$/iu.exec(headers.authorization ?? '');
  if (bearer) return bearer.groups?.['token']?.trim() ?? '';
  return headerIn(headers, 'x-api-key') ?? presentOrNull(query.get('api_key'));
}

function adminTokenIn({ headers, query }: Credentials): string | null {
  return (
    headerIn(headers, 'x-admin-token') ??
    headerIn(headers, 'x-admin-api-key') ??
    presentOrNull(query.get('admin_token'))
  );
}

function headerIn(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return presentOrNull(Array.isArray(value) ? value[0] : value);
}

function presentOrNull(value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function isSame(given: string | null, expected: Buffer): boolean {
  return given !== null && timingSafeEqual(digestOf(given), expected);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
