/** Reads ids in every spelling that callers use. */
import type { MemoryId } from '../contract/memory.js';
import { trimCharacters } from './validation/trim-characters.js';

/**
 * Reads a UUID in every form that Python accepts: with hyphens, without, in braces, as `urn:uuid:`, in any case.
 * Returns it in lower case with hyphens, or null for any other text.
 */
export function parseUuid(text: string): string | null {
  const digits = trimCharacters(text.toLowerCase().replace('urn:', '').replace('uuid:', ''), '{}').replaceAll('-', '');
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(digits);
  return groups && groups.slice(1).join('-');
}

/** The only function that turns text into the id of a memory. */
export function parseMemoryId(text: string): MemoryId | null {
  return parseUuid(text) as MemoryId | null;
}
