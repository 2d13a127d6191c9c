/** Memory ids as callers spell them. */
import type { MemoryId } from '../contract/memory.js';

/**
 * Reads a UUID as Python does - hyphenated, bare, in braces, as `urn:uuid:`, in any case - and gives it back in lower case with
 * hyphens; null for anything else.
 */
export function parseMemoryId(text: string): MemoryId | null {
  const digits = text.toLowerCase().replace('urn:', '').replace('uuid:', '').replace(/^[{}]+|[{}]+$/gu, '').replaceAll('-', '');
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(digits);
  // The one place where text becomes an id: five groups of hex digits are a UUID.
  return groups ? (groups.slice(1).join('-') as MemoryId) : null;
}
