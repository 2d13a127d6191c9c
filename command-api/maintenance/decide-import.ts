/** Decides POST /admin/import: an imported memory or association is the first version of its subject, or it changes nothing. */
import { associationSubject } from '../../shared/contract/association.js';
import { type Decision, type Facts, newEvent } from '../decision.js';
import { classifyByPattern } from '../memories/classify-by-pattern.js';
import { type Reading, UNCLASSIFIED } from '../memories/content-reader.js';
import { decideStore } from '../memories/decide-store.js';
import type { MemoryDraft } from '../memories/draft-memory.js';
import type { ImportedAssociation, ImportedMemory } from './draft-import.js';

/** Enrichment is not imported: the memory is new for the enricher, which finds its derived associations here. */
export function decideImportedMemory({ id, draft }: ImportedMemory, facts: Facts): Decision {
  return decideStore(readingOf(draft), draft, { ...facts, memoryIds: [id] });
}

/** Imported content is never summarised, and no language model is asked: an import costs no calls and gives the same result each time. */
function readingOf({ content, type, confidence }: MemoryDraft): Reading {
  return { summary: null, ...(type === null ? (classifyByPattern(content) ?? UNCLASSIFIED) : { type, confidence }) };
}

export function decideImportedAssociation(imported: ImportedAssociation, facts: Facts): Decision {
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
