/** Reads the parameter `explain`, pure. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { ValidationError } from '../../../shared/kernel/errors.js';
import { parseFlag } from '../../../shared/kernel/flag-text.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';

/** What is to be explained: every result, and what became of one memory where it is named. */
export type ExplainRequest = { readonly memoryId: MemoryId | null };

/** Null when nothing is to be explained. */
export function explainRequestOf(text: string | undefined): ExplainRequest | null {
  const flag = text === undefined ? false : parseFlag(text);
  if (flag !== undefined) return flag ? { memoryId: null } : null;
  const memoryId = parseMemoryId(text ?? '');
  if (memoryId === null) throw new ValidationError("'explain' must be true, false or the id of a memory", 'explain');
  return { memoryId };
}
