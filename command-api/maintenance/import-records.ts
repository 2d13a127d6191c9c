/**
 * POST /admin/import: stores memories and associations with the ids, times and states that they had elsewhere. Each
 * item is one command that expects a subject without an event, so a repeat stores nothing twice at any time, changes
 * nothing that changed since, and does not bring back a deleted memory.
 */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { importedMemoryItem } from '../../shared/contract/maintenance/transfer.js';
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import type { Ids } from '../../shared/kernel/clock.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import type { Committer } from '../../shared/ports/committer.js';
import { decideNewAssociation } from '../associations/associate.js';
import { type AssociationDraft, draftAssociation, ENDS_MISSING } from '../associations/draft-association.js';
import type { CommandHandling } from '../command-handling.js';
import type { Decision, Facts } from '../decision.js';
import { classifyByPattern, type Reading, UNCLASSIFIED } from '../memories/content-reader.js';
import { decideStore } from '../memories/decide-store.js';
import { draftMemory, type MemoryDraft, type MemoryLimits, withoutAbsent } from '../memories/draft-memory.js';
import { readTimestamp } from '../memories/memory-fields.js';
import { commitEach, type CommittedKind } from '../record-commands.js';

export type ImportDeps = {
  readonly committer: Pick<Committer, 'commit'>;
  readonly commands: Pick<CommandHandling, 'facts'>;
  readonly ids: Ids;
  readonly limits: MemoryLimits;
};

type Refused = { readonly index: number; readonly reason: string };
type Decided = { readonly index: number; readonly decision: Decision };
type Part = { readonly stored: number; readonly existing: number; readonly refused: readonly Refused[] };

export function createImportRecords(deps: ImportDeps): Handler<'importRecords'> {
  return async ({ body, context }) => {
    const memories = draftImportedMemories(body.memories, deps.limits);
    const associations = draftImportedAssociations(body.associations);
    if (memories.length + associations.length === 0)
      throw new ValidationError("'memories' or 'associations' must be a non-empty array", 'memories');
    return {
      status: 200,
      body: {
        status: 'success',
        memories: await importPart(memories, decideImportedMemory, { deps, context }),
        associations: await importPart(associations, decideImportedAssociation, { deps, context }),
      },
    };
  };
}

async function importPart<T>(
  items: readonly Drafted<T>[],
  decide: (draft: T, facts: Facts) => Decision,
  { deps, context }: { readonly deps: ImportDeps; readonly context: RequestContext },
): Promise<Part> {
  const { committer, commands, ids } = deps;
  const results = items.map((item) =>
    'reason' in item ? item : decideItem(item.index, () => decide(item.draft, commands.facts(context, 1))),
  );
  const decided = results.filter((result) => 'decision' in result);
  const kinds = await commitEach(
    decided.map(({ decision }) => decision),
    { committer, ids },
  );
  const indexesOf = (kind: CommittedKind): readonly number[] =>
    decided.flatMap(({ index }, at) => (kinds[at] === kind ? index : []));
  const absent = indexesOf('absent').map((index) => ({ index, reason: ENDS_MISSING }));
  return {
    stored: indexesOf('committed').length,
    existing: indexesOf('conflict').length,
    refused: [...results.filter((result) => 'reason' in result), ...absent].sort((one, two) => one.index - two.index),
  };
}

/** An event that is too large refuses its item alone. */
function decideItem(index: number, decide: () => Decision): Decided | Refused {
  try {
    return { index, decision: decide() };
  } catch (error) {
    if (error instanceof ValidationError) return { index, reason: error.message };
    throw error;
  }
}

/** The first version of its subject, or no change. The enricher finds the derived associations here. */
function decideImportedMemory({ id, draft }: ImportedMemory, facts: Facts): Decision {
  return decideStore(readingOf(draft), draft, { ...facts, memoryIds: [id] });
}

/** No language model is asked: an import costs no calls and gives the same result each time. */
function readingOf({ content, type, confidence }: MemoryDraft): Reading {
  return { summary: null, ...(type === null ? (classifyByPattern(content) ?? UNCLASSIFIED) : { type, confidence }) };
}

function decideImportedAssociation({ draft, createdAt, updatedAt }: ImportedAssociation, facts: Facts): Decision {
  const updated_at = updatedAt ?? facts.now;
  return decideNewAssociation({ ...draft, created_at: createdAt ?? updated_at, updated_at }, facts);
}

export type ImportedMemory = { readonly id: MemoryId; readonly draft: MemoryDraft };
export type ImportedAssociation = {
  readonly draft: AssociationDraft;
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
};

export type Drafted<T> = { readonly index: number } & ({ readonly draft: T } | { readonly reason: string });

const validateMemory = createValidator(importedMemoryItem);

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
  const archived_at = readTimestamp(value.archived_at, 'archived_at') ?? undefined;
  const state = { summary, relevance_score, archived, archived_at, protected: isProtected, protected_reason };
  const kept = withoutAbsent(state);
  return { id, draft: { ...draftMemory(value, limits, null), kept } };
}

function draftImportedAssociation(item: unknown): ImportedAssociation {
  if (!isRecord(item)) throw new ValidationError('Association item must be an object', null);
  return {
    draft: draftAssociation(item),
    createdAt: readTimestamp(item['created_at'], 'created_at'),
    updatedAt: readTimestamp(item['updated_at'], 'updated_at'),
  };
}
