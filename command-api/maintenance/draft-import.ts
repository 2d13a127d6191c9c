/**
 * Parses the items of POST /admin/import. Each item is checked by itself: a refused one has its reason, and the others
 * go on.
 */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { importedMemoryItem } from '../../shared/contract/maintenance/import.js';
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import { type AssociationDraft, draftAssociation } from '../associations/draft-association.js';
import { draftMemory, type MemoryDraft, type MemoryLimits } from '../memories/draft-memory.js';
import { readTimestamp } from '../memories/memory-fields.js';

export type ImportedMemory = { readonly id: MemoryId; readonly draft: MemoryDraft };
export type ImportedAssociation = {
  readonly draft: AssociationDraft;
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
};

export type Drafted<T> = { readonly index: number } & ({ readonly draft: T } | { readonly reason: string });

const validateMemory = createValidator(importedMemoryItem, { late: true });

export function draftImportedMemories(items: unknown, limits: MemoryLimits): readonly Drafted<ImportedMemory>[] {
  return listOf(items, 'memories').map((item, index) => drafted(index, () => draftImportedMemory(item, limits)));
}

export function draftImportedAssociations(items: unknown): readonly Drafted<ImportedAssociation>[] {
  return listOf(items, 'associations').map((item, index) => drafted(index, () => draftImportedAssociation(item)));
}

function listOf(items: unknown, name: string): readonly unknown[] {
  if (items === undefined || items === null) return [];
  if (!Array.isArray(items)) throw new ValidationError(`'${name}' must be an array`, name);
  if (items.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} ${name} per request`, name);
  return items;
}

function drafted<T>(index: number, draft: () => T): Drafted<T> {
  try {
    return { index, draft: draft() };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof NotFoundError) return { index, reason: error.message };
    throw error;
  }
}

function draftImportedMemory(item: unknown, limits: MemoryLimits): ImportedMemory {
  const validated = validateMemory(item);
  if (!validated.ok) throw new ValidationError(validated.problem.message, validated.problem.field);
  const { value } = validated;
  const id = parseMemoryId(value.id);
  if (id === null) throw new ValidationError("'id' must be a valid UUID", 'id');
  const { summary, relevance_score, archived, protected: isProtected, protected_reason } = value;
  const archivedAt = readTimestamp(value.archived_at, 'archived_at');
  const kept = {
    ...(summary === undefined ? {} : { summary }),
    ...(relevance_score === undefined ? {} : { relevance_score }),
    ...(archived === undefined ? {} : { archived }),
    ...(archivedAt === null ? {} : { archived_at: archivedAt }),
    ...(isProtected === undefined ? {} : { protected: isProtected }),
    ...(protected_reason === undefined ? {} : { protected_reason }),
  };
  return { id, draft: { ...draftMemory(value, limits), kept } };
}

function draftImportedAssociation(item: unknown): ImportedAssociation {
  if (!isRecord(item)) throw new ValidationError('Association item must be an object', null);
  return {
    draft: draftAssociation(item),
    createdAt: readTimestamp(item['created_at'], 'created_at'),
    updatedAt: readTimestamp(item['updated_at'], 'updated_at'),
  };
}
