/** Ids as callers spell them. */
import type { MemoryId } from '../contract/memory.js';

/**
 * Reads a UUID as Python does - hyphenated, bare, in braces, as `urn:uuid:`, in any case - and gives it back in lower case with
 * hyphens; null for anything else.
 */
export function parseUuid(text: string): string | null {
  const digits = text
    .toLowerCase()
    .replace('urn:', '')
    .replace('uuid:', '')
    .replace(/^[{}]+|[{}]+$/gu, '')
    .replaceAll('-', '');
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(digits);
  return groups && groups.slice(1).join('-');
}

/** The one place where text becomes the id of a memory. */
export function parseMemoryId(text: string): MemoryId | null {
  return parseUuid(text) as MemoryId | null;
}
