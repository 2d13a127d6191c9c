/** A memory's id as a model gives it. It is read here because it becomes part of a path: no other text may. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { failed, type ToolAnswer } from '../tool.js';

export function readMemoryId(text: string): MemoryId | null {
  return parseMemoryId(text.trim());
}

/** In the words of the service. */
export function invalidMemoryId(field: string): ToolAnswer {
  return failed(`${field} must be a valid UUID\nNothing was written. Find the id with recall_memory and call again.`);
}
