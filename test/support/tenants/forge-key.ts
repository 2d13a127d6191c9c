/** Keys that no service has made, with a checksum that is right: made by the documented form, without the product. */
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const [PREFIX, TENANT_DIGITS, CHECKSUM_CHARACTERS] = ['plm_', 32, 6];

/** `tenant`: the id that the text names; null for the default tenant. The random part is that of `key`. */
export function forgeKey(key: string, tenant: string | null): string {
  const body = key.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  const random = body.length > TENANT_DIGITS ? body.slice(TENANT_DIGITS) : body;
  const text = `${tenant === null ? '' : tenant.replaceAll('-', '')}${random}`;
  return `${PREFIX}${text}${checksumOf(text)}`;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** The same text with another last character. */
export function withWrongChecksum(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
}
