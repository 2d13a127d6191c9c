/** Checks of arguments that a JSON schema cannot express. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { failed, type ToolAnswer } from '../tool.js';
import type { Fields } from './reply-fields.js';

/** Null for a text that is not a UUID. The id becomes part of a path, so no other text may pass. */
export function readMemoryId(text: string): MemoryId | null {
  return parseMemoryId(text.trim());
}

/** Begins with the message of the service. */
export function invalidMemoryId(field: string): ToolAnswer {
  return failed(`${field} must be a valid UUID\nNothing was written. Find the id with recall_memory and call again.`);
}

/** The names of the present arguments that are not in `allowed`. */
export function argumentsExcept(input: Fields, allowed: readonly string[]): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined && !allowed.includes(name));
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
