/** What the claims of a verified token say: its holder, scopes, tag and tenant. */
import type { JWTPayload } from 'jose';
import { KEY_NAME_LIMIT, TAG_LENGTH_LIMIT, TAG_LEVELS_LIMIT } from '../contract/limits.js';
import { DEFAULT_TENANT } from '../contract/maintenance/tenants.js';
import { type Scope, SCOPE_NAMES, TAGGED_KEY_SCOPES } from '../contract/scopes.js';
import { UnauthenticatedError } from '../kernel/errors.js';
import { requireActive, type Tenancy } from './tenancy.js';

/** The names of the claims that a deployment reads. */
export type OidcClaims = {
  /** The claim with the scopes. */
  readonly scopeClaim: string;
  /** The claim with the tag to which a token is restricted, as a key with a tag is; null: a token sees all memories. */
  readonly tagClaim: string | null;
  /** The claim with the name of the tenant of a token; null: tokens belong to the default one. */
  readonly tenantClaim: string | null;
};

/** Other values of the claim are for other services. */
export function scopesIn(payload: JWTPayload, { scopeClaim, tagClaim }: OidcClaims): readonly Scope[] {
  const value = payload[scopeClaim];
  const values: readonly unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return (tagClaim === null ? SCOPE_NAMES : TAGGED_KEY_SCOPES).filter((scope) => values.includes(scope));
}

export function scopeHintOf({ scopeClaim, tagClaim }: OidcClaims): string {
  const ask = `Ask the issuer for a token with this scope in the claim ${scopeClaim}.`;
  return tagClaim === null
    ? ask
    : `${ask} A token with a tag has no other scopes than ${TAGGED_KEY_SCOPES.join(', ')}.`;
}

/**
 * Throws UnauthenticatedError unless the claim is a tag in its canonical form: the values `Anna` and `anna` would
 * otherwise be one tag of two holders.
 */
export function tagIn(payload: JWTPayload, { tagClaim }: OidcClaims): string | null {
  if (tagClaim === null) return null;
  const tag = payload[tagClaim];
  if (tag === undefined) throw refused(`has no claim ${tagClaim}`);
  if (typeof tag !== 'string' || !isCanonicalTag(tag))
    throw refused(`has no tag in lower case in the claim ${tagClaim}`);
  return tag;
}

function isCanonicalTag(tag: string): boolean {
  const levels = tag.split(':');
  const isCanonical = tag === tag.toLowerCase() && !tag.includes('/') && levels.every((level) => LEVEL.test(level));
  return isCanonical && tag.length <= TAG_LENGTH_LIMIT && levels.length <= TAG_LEVELS_LIMIT;
}

/**
 * The id of the tenant that the claim names; null for the default one. Throws UnauthenticatedError without the claim or
 * the tenant, and ForbiddenError for a suspended one.
 */
export async function tenantIn(
  payload: JWTPayload,
  { config: { tenantClaim }, tenancy }: { readonly config: OidcClaims; readonly tenancy: Tenancy | null },
): Promise<string | null> {
  if (tenantClaim === null) return null;
  const name = payload[tenantClaim];
  if (typeof name !== 'string') throw refused(`has no claim ${tenantClaim} with the name of a tenant`);
  if (name === DEFAULT_TENANT) return null;
  const tenant = (await tenancy?.named(name)) ?? null;
  if (tenant === null) throw refused(`names a tenant in the claim ${tenantClaim} that does not exist`);
  requireActive(tenant);
  return tenant.id;
}

/** Not empty, and without a space at either end. */
const LEVEL = /^\S(?:.*\S)?$/su;

/** In the form that names of keys have; null when no claim has a character of it. */
export function nameIn(payload: JWTPayload): string | null {
  const claims = [payload['preferred_username'], payload['email'], payload['client_id'], payload.sub];
  const names = claims.map((claim) =>
    typeof claim !== 'string' ? '' : claim.replace(/[^\w.@-]/gu, '_').replace(/^[^A-Za-z\d]+/u, ''),
  );
  return names.find((name) => name !== '')?.slice(0, KEY_NAME_LIMIT) ?? null;
}

export function refused(reason: string): UnauthenticatedError {
  return new UnauthenticatedError('Unauthorized', 'api', {
    detail: `The token ${reason}.`,
    hint: 'Get a new token for this service from its issuer.',
  });
}
