/** Reads the name of a memory type as people and models write it. */
import { MEMORY_TYPE_ALIASES, MEMORY_TYPES, type MemoryType } from '../contract/memory.js';

/** In any case, or by an alias; null when it names none. */
export function readMemoryType(text: string): MemoryType | null {
  const name = text.trim().toLowerCase();
  const aliases: Readonly<Record<string, MemoryType>> = MEMORY_TYPE_ALIASES;
  return (
    MEMORY_TYPES.find((type) => type.toLowerCase() === name) ??
    (Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null)
  );
}
