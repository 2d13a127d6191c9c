/**
 * POST /admin/import: stores memories and associations with the ids, times and states that they had elsewhere. Each
 * item is one command that expects a subject without an event, so a repeat stores nothing twice at any time, changes
 * nothing that changed since, and does not bring back a deleted memory.
 */
import { associationSubject } from '../../shared/contract/association.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import type { Ids } from '../../shared/kernel/clock.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import type { Committer, Outcome } from '../../shared/ports/committer.js';
import { ENDS_MISSING } from '../associations/draft-association.js';
import type { CommandHandling } from '../command-handling.js';
import { type Decision, type Facts, newEvent } from '../decision.js';
import { classifyByPattern } from '../memories/classify-by-pattern.js';
import { type Reading, UNCLASSIFIED } from '../memories/content-reader.js';
import { decideStore } from '../memories/decide-store.js';
import type { MemoryDraft, MemoryLimits } from '../memories/draft-memory.js';
import {
  type Drafted,
  draftImportedAssociations,
  draftImportedMemories,
  type ImportedAssociation,
  type ImportedMemory,
} from './draft-import.js';

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
  const outcomes =
    decided.length === 0
      ? []
      : await committer.commit(
          decided.map(({ decision }) => ({ ...decision, id: ids.uuid(), key: null, fingerprint: null })),
        );
  const kinds = decided.map(({ index }, at) => ({ index, kind: kindOf(outcomes[at]) }));
  const absent = kinds.filter(({ kind }) => kind === 'absent').map(({ index }) => ({ index, reason: ENDS_MISSING }));
  return {
    stored: kinds.filter(({ kind }) => kind === 'committed').length,
    existing: kinds.filter(({ kind }) => kind === 'conflict').length,
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

/** Commands without a key have three outcomes. */
function kindOf(outcome: Outcome | undefined): 'committed' | 'conflict' | 'absent' {
  if (outcome?.kind === 'committed' || outcome?.kind === 'conflict' || outcome?.kind === 'absent') return outcome.kind;
  throw new Error(`The committer answered a command without a key with ${outcome?.kind ?? 'no outcome'}.`);
}

/**
 * Decides POST /admin/import: an imported memory or association is the first version of its subject, or it changes
 * nothing. Enrichment is not imported: the memory is new for the enricher, which finds its derived associations here.
 */
function decideImportedMemory({ id, draft }: ImportedMemory, facts: Facts): Decision {
  return decideStore(readingOf(draft), draft, { ...facts, memoryIds: [id] });
}

/**
 * Imported content is never summarised, and no language model is asked: an import costs no calls and gives the same
 * result each time.
 */
function readingOf({ content, type, confidence }: MemoryDraft): Reading {
  return { summary: null, ...(type === null ? (classifyByPattern(content) ?? UNCLASSIFIED) : { type, confidence }) };
}

function decideImportedAssociation(imported: ImportedAssociation, facts: Facts): Decision {
  const { source, target, type, strength, properties } = imported.draft;
  const updatedAt = imported.updatedAt ?? facts.now;
  const association = {
    source,
    target,
    type,
    strength,
    properties,
    created_at: imported.createdAt ?? updatedAt,
    updated_at: updatedAt,
  };
  const event = newEvent(facts, 0, {
    type: 'association.created',
    data: { association, changed: ['strength', 'updated_at', ...Object.keys(properties)] },
    subject: associationSubject(association),
    partitionKey: source,
    version: 1,
    revision: 1,
  });
  return { events: [event], requires: [source, target], vectors: [] };
}
