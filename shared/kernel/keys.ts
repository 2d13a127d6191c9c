/**
 * The form of a key. It ends with a checksum, as GitHub's tokens do, so that a scanner recognizes one and a random text
 * costs no look at the database.
 */
import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'plm_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 of 62 characters are 190 random bits, so the plain hash of a key reveals nothing. */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** The key of a tenant begins with the digits of its UUID, so that a process knows where to look it up. */
const TENANT_DIGITS = 32;
const LENGTH = PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
const TENANT_LENGTH = LENGTH + TENANT_DIGITS;
const FORM = new RegExp(
  `^${PREFIX}(?:[0-9a-f]{${TENANT_DIGITS}})?[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
  'u',
);

/** `tenantId`: the UUID of the tenant that the key opens; null for the default one. */
export function newKey(tenantId: string | null = null): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const text = `${tenantId === null ? '' : tenantId.replaceAll('-', '')}${random}`;
  return `${PREFIX}${text}${checksumOf(text)}`;
}

/** The UUID of the tenant that an intact key names; null for the default one. */
export function tenantOfKey(key: string): string | null {
  if (key.length !== TENANT_LENGTH) return null;
  const digits = key.slice(PREFIX.length, PREFIX.length + TENANT_DIGITS);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a token claims to be a key. Tokens of the environment have another form. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX) && (token.length === LENGTH || token.length === TENANT_LENGTH);
}

export function isIntactKey(key: string): boolean {
  return (
    FORM.test(key) && checksumOf(key.slice(PREFIX.length, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS)
  );
}

/** The internal token of our processes for one tenant. It names the tenant; only a holder of the token can make it. */
export function internalTokenOf(token: string, tenantId: string): string {
  return `${tenantId}.${createHmac('sha256', token).update(tenantId).digest('hex')}`;
}

/** The UUID of the tenant for which this internal token was made; null for any other text. */
export function tenantOfInternalToken(given: string, token: string): string | null {
  const [, tenantId] = INTERNAL.exec(given) ?? [];
  if (tenantId === undefined) return null;
  const expected = internalTokenOf(token, tenantId);
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? tenantId : null;
}

const INTERNAL = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-f]{64}$/u;

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length] ?? ''}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
