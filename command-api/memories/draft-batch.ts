/** Parses the body of POST /memory/batch into drafts. All or none: the first invalid item refuses the batch and is named in the error. */
import { batchItem } from '../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import { batchItemError, withItemIndex } from './batch-item-error.js';
import { draftMemory, type MemoryDraft, type MemoryLimits } from './draft-memory.js';
import { characterCount } from './memory-fields.js';

const validateItem = createValidator(batchItem);

export function draftBatch(memories: unknown, limits: MemoryLimits): readonly MemoryDraft[] {
  if (!Array.isArray(memories) || memories.length === 0)
    throw new ValidationError("'memories' must be a non-empty array", 'memories');
  if (memories.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} memories per request`, 'memories');
  return memories.map((item: unknown, index) => draftItem(item, index, limits));
}

function draftItem(item: unknown, index: number, limits: MemoryLimits): MemoryDraft {
  if (!isRecord(item)) throw batchItemError(index, ' must be an object', null);
  const content = item['content'];
  const isMissing = content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
  if (isMissing) throw batchItemError(index, " missing 'content'", 'content');
  const length = typeof content === 'string' ? characterCount(content.trim()) : 0;
  if (length > limits.contentHardLimit)
    throw batchItemError(index, ` exceeds content limit (${length}/${limits.contentHardLimit})`, 'content');
  const validated = validateItem(item);
  if (!validated.ok) throw batchItemError(index, ` is invalid: ${validated.problem.message}`, validated.problem.field);
  const { content: text, type, confidence, tags, importance, metadata, timestamp } = validated.value;
  return withItemIndex(index, () =>
    draftMemory({ content: text, type, confidence, tags, importance, metadata, timestamp }, limits),
  );
}
