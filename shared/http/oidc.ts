/**
 * Tokens of an OpenID Connect issuer: checks a JWT with the keys that the issuer publishes. The checks follow RFC 9068
 * (JWT access tokens) and RFC 8725 (asymmetric algorithms only, so that no public key is used as a secret).
 */
import { createHash } from 'node:crypto';
import type { createLocalJWKSet, errors as JoseErrors, JSONWebKeySet, JWTPayload } from 'jose';
import type { Scope } from '../contract/scopes.js';
import { type Clock, systemClock } from '../kernel/clock.js';
import { DependencyError, PalimpsestError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { BearerKind, Holder } from './auth.js';
import { nameIn, type OidcClaims, refused, scopeHintOf, scopesIn, tagIn, tenantIn } from './oidc-claims.js';
import { addressIn, readDiscovery, readJson } from './oidc-discovery.js';
import type { Tenancy } from './tenancy.js';

export type OidcConfig = OidcClaims & {
  readonly issuer: string;
  /** What a token must name in `aud`. */
  readonly audience: string;
  /** How the console signs its users in. Absent: it takes tokens alone. */
  readonly console?: {
    readonly clientId: string;
    /** What it asks the issuer for. */
    readonly scopes: readonly string[];
  };
};

export const OIDC_LIMITS = {
  /** Characters of a token. */
  tokenLength: 16 * 1024,
  /** Of each answer of the issuer, decompressed. */
  answerBytes: 256 * 1024,
  answerMs: 5_000,
  /** Older keys are read again; no request waits for it. */
  freshMs: 10 * 60_000,
  /** While the issuer does not answer, its keys work this long after the last read. */
  staleMs: 60 * 60_000,
  /** The least time between two reads, whatever callers send. */
  cooldownMs: 30_000,
  /** How far the clock of the issuer may differ. */
  clockSkewSeconds: 30,
} as const;

type Limits = { readonly [K in keyof typeof OIDC_LIMITS]: number };

export type OidcOptions = {
  readonly config: OidcConfig;
  readonly logger: Logger;
  /** The tenants that tokens may name; null: there are none. */
  readonly tenancy?: Tenancy | null;
  readonly clock?: Clock;
  /** In ms, for the age of the keys. Default: `performance.now`. */
  readonly elapsed?: () => number;
  readonly limits?: Partial<Limits>;
};

const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/u;

/** Whether the text has the three parts of a signed JWT. */
export function isJwt(text: string): boolean {
  return JWT.test(text);
}

/** Not loaded without an issuer: its 46 modules take 50 ms of processor time. */
const loadJose = () => import('jose');

/** Reads the keys of the issuer at once, so that the log shows a wrong address. Never fails for an absent issuer. */
export function oidcTokens({
  config,
  tenancy = null,
  clock = systemClock,
  limits: given,
  ...rest
}: OidcOptions): BearerKind {
  const limits: Limits = { ...OIDC_LIMITS, ...given };
  const keys = createIssuerKeys({ issuer: config.issuer, limits, ...rest });
  const { issuer, audience } = config;
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: limits.clockSkewSeconds,
  };

  async function verify(token: string): Promise<JWTPayload> {
    if (token.length > limits.tokenLength) throw refused(`has more than ${limits.tokenLength} characters`);
    const { jwtVerify, errors } = await loadJose();
    try {
      return (await jwtVerify(token, keys.keyOf, { ...options, currentDate: clock.now() })).payload;
    } catch (error) {
      if (error instanceof PalimpsestError) throw error;
      if (error instanceof errors.JOSEError) throw refused(reasonOf(error, errors));
      throw new DependencyError('issuer', 'The key of the token issuer cannot be used', { cause: error });
    }
  }

  async function check(token: string): Promise<Holder> {
    const payload = await verify(token);
    let verifiedWith = await keys.current();
    const endsAt = ((payload.exp ?? 0) + limits.clockSkewSeconds) * 1_000;
    const identity = createHash('sha256')
      .update(JSON.stringify([payload.iss, payload.sub]))
      .digest('hex');
    const name = nameIn(payload) ?? identity.slice(0, 12);
    const tenant = await tenantIn(payload, { config, tenancy });
    const scopes = scopesIn(payload, config);
    return {
      name,
      title: `The token of '${name}'`,
      scopeHint: scopeHintOf(config),
      scope: `oidc ${identity}`,
      scopes: tenant === null ? scopes : scopes.filter((scope) => scope !== 'admin:tenants'),
      tag: tagIn(payload, config),
      tenant,
      isValid: async () => {
        if (clock.now().getTime() >= endsAt) return false;
        await tenantIn(payload, { config, tenancy });
        const current = await keys.current();
        if (current !== verifiedWith) await verify(token);
        verifiedWith = current;
        return true;
      },
    };
  }
  return {
    recognizes: (text, isBearer) => isBearer && isJwt(text),
    check,
    closesApi: true,
    namesTenant: () => config.tenantClaim !== null,
  };
}

/** The scopes of a token that the service has accepted: this checks nothing. */
export async function grantedScopes(token: string, config: OidcConfig): Promise<readonly Scope[]> {
  const { decodeJwt } = await loadJose();
  return scopesIn(decodeJwt(token), config);
}

function reasonOf(error: JoseErrors.JOSEError, errors: typeof JoseErrors): string {
  if (error instanceof errors.JWTExpired) return 'has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `has no claim ${error.claim}`;
    return error.claim === 'nbf' ? 'is not valid yet' : `has the wrong ${CLAIMS[error.claim] ?? error.claim}`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return `is not signed with one of ${ALGORITHMS.join(', ')}`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'is signed with a key that its issuer does not publish';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'has no kid, and its issuer has several keys';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'has a wrong signature';
  return 'is no JWT that can be read';
}

const CLAIMS: Readonly<Record<string, string>> = { aud: 'audience', iss: 'issuer' };

type LocalSet = ReturnType<typeof createLocalJWKSet>;
type KeySet = (...given: Parameters<LocalSet>) => ReturnType<LocalSet>;

/** `text`: of the published set, so that an unchanged one stays the same object. */
type Known = { readonly find: KeySet; readonly text: string; readonly readAt: number };

/** The keys that OpenID Connect Discovery finds. Both functions throw DependencyError('issuer') without valid keys. */
function createIssuerKeys({
  issuer,
  limits,
  logger,
  elapsed = () => performance.now(),
}: { readonly issuer: string; readonly limits: Limits } & Pick<OidcOptions, 'logger' | 'elapsed'>) {
  let known: Known | null = null;
  let triedAt = -Infinity;
  /** Of the last read; null when it succeeded. */
  let failure: unknown = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const keys = await readKeys(issuer, limits);
      const text = JSON.stringify(keys);
      const { createLocalJWKSet } = await loadJose();
      known = { find: known?.text === text ? known.find : createLocalJWKSet(keys), text, readAt: elapsed() };
      failure = null;
    } catch (error) {
      failure = error;
      logger.warn({ err: error, issuer }, 'keys of the OIDC issuer not read');
    }
  }

  /** Callers share one read. */
  function refresh(): Promise<void> {
    if (reading === null && elapsed() - triedAt >= limits.cooldownMs) {
      triedAt = elapsed();
      reading = read().finally(() => {
        reading = null;
      });
    }
    return reading ?? Promise.resolve();
  }

  function youngerThan(milliseconds: number): Known | null {
    return known !== null && elapsed() - known.readAt < milliseconds ? known : null;
  }

  function unavailable(): DependencyError {
    const seconds = Math.ceil((triedAt + limits.cooldownMs - elapsed()) / 1_000);
    const message = 'The issuer of the token does not give its keys, so the token cannot be checked: try again later';
    return new DependencyError('issuer', message, { cause: failure, retryAfterSeconds: Math.max(1, seconds) });
  }

  async function current(): Promise<KeySet> {
    if (youngerThan(limits.staleMs) === null) await refresh();
    else if (youngerThan(limits.freshMs) === null) void refresh();
    const found = youngerThan(limits.staleMs);
    if (found === null) throw unavailable();
    return found.find;
  }

  const keyOf: KeySet = async (header, token) => {
    const find = await current();
    const { errors } = await loadJose();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      if (failure !== null) throw unavailable(); // the issuer may have published the key since
      return (await current())(header, token);
    }
  };
  void refresh();
  return { keyOf, current };
}

async function readKeys(issuer: string, limits: Limits): Promise<JSONWebKeySet> {
  const discovery = await readDiscovery(issuer, limits);
  // createLocalJWKSet checks the shape of each key.
  return (await readJson(addressIn(discovery, 'jwks_uri', issuer), limits)) as unknown as JSONWebKeySet;
}
