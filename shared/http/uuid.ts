/** Reads a UUID in the spellings that Python's reader takes, because callers of this contract may use any of them. */
const CANONICAL = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u;

/** Hyphenated or bare, in braces or with `urn:uuid:`, in any case; lower case and hyphens come out. Null when it is none. */
export function readUuid(text: string): string | null {
  const digits = text.toLowerCase().replace('urn:', '').replace('uuid:', '').replace(/^[{}]+|[{}]+$/gu, '').replaceAll('-', '');
  const parts = CANONICAL.exec(digits);
  return parts && parts.slice(1).join('-');
}
