/**
 * The form of a key. It ends with a checksum, as GitHub's tokens do, so that a scanner recognizes one and a random text
 * costs no look at the database.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'plm_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 of 62 characters are 190 random bits, so the plain hash of a key reveals nothing. */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`, 'u');

export function newKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${PREFIX}${random}${checksumOf(random)}`;
}

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a token claims to be a key. Tokens of the environment have another form. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX) && token.length === PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
}

export function isIntactKey(key: string): boolean {
  return (
    FORM.test(key) && checksumOf(key.slice(PREFIX.length, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS)
  );
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length] ?? ''}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
