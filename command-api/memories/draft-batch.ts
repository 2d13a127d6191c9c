/** From the body of POST /memory/batch to drafts. All or none: the first item at fault is named and refuses the batch. */
import { batchItem } from '../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { createValidator } from '../../shared/kernel/validate.js';
import { draftMemory, type MemoryDraft, type MemoryLimits } from './draft-memory.js';
import { characterCount } from './memory-fields.js';
import { namingIndex, refusedItem } from './naming-index.js';

const validateItem = createValidator(batchItem);

export function draftBatch(memories: unknown, limits: MemoryLimits): readonly MemoryDraft[] {
  if (!Array.isArray(memories) || memories.length === 0)
    throw new ValidationError("'memories' must be a non-empty array", 'memories');
  if (memories.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} memories per request`, 'memories');
  return memories.map((item: unknown, index) => draftItem(item, index, limits));
}

function draftItem(item: unknown, index: number, limits: MemoryLimits): MemoryDraft {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw refusedItem(index, ' must be an object', null);
  const content: unknown = 'content' in item ? item.content : undefined;
  const isMissing = content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
  if (isMissing) throw refusedItem(index, " missing 'content'", 'content');
  const length = typeof content === 'string' ? characterCount(content.trim()) : 0;
  if (length > limits.contentHardLimit)
    throw refusedItem(index, ` exceeds content limit (${length}/${limits.contentHardLimit})`, 'content');
  const validated = validateItem(item);
  if (!validated.ok) throw refusedItem(index, ` is invalid: ${validated.problem.message}`, validated.problem.field);
  const { content: text, type, confidence, tags, importance, metadata, timestamp } = validated.value;
  return namingIndex(index, () =>
    draftMemory({ content: text, type, confidence, tags, importance, metadata, timestamp }, limits),
  );
}
