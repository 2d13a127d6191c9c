/** The one place where text becomes a memory id. */
import type { MemoryId } from '../contract/memory.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

/** Trimmed and in lower case; null when it is no UUID. */
export function readMemoryId(text: string): MemoryId | null {
  const id = text.trim().toLowerCase();
  return UUID.test(id) ? (id as MemoryId) : null;
}
