/** Decides POST /memory and /memory/batch: creates memories from drafts and the readings of their contents. */
import type { MemoryStoredData, NewEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { microsecondsBefore } from '../../shared/kernel/clock.js';
import { mapPaced } from '../../shared/kernel/concurrency/paced.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import type { SuppliedVector } from '../../shared/ports/committer.js';
import { suppliedRef } from '../../shared/ports/embedder.js';
import { tagPrefixes } from '../../shared/text/tags.js';
import { type Decision, type Facts, newEvent } from '../decision.js';
import type { Reading } from './content-reader.js';
import type { MemoryDraft } from './draft-memory.js';
import { characterCount } from './memory-fields.js';

/** `memoryIds`: one new id for each draft. */
export type StoreFacts = Facts & { readonly memoryIds: readonly MemoryId[] };

export function decideStore(reading: Reading, draft: MemoryDraft, facts: StoreFacts): Decision {
  return decisionOf([storeOne({ draft, reading, index: 0, later: 0 }, facts)]);
}

/** All or none: an invalid draft refuses the whole batch, and the error names its index. */
export async function decideBatch(
  readings: readonly Reading[],
  drafts: readonly MemoryDraft[],
  facts: StoreFacts,
): Promise<Decision> {
  const stored = await mapPaced(drafts, (draft, index) => {
    const reading = readings[index];
    if (!reading) throw new Error(`Draft ${index} has no reading.`);
    return withItemIndex(index, () => storeOne({ draft, reading, index, later: drafts.length - 1 - index }, facts));
  });
  return decisionOf(stored);
}

type Draft = { readonly draft: MemoryDraft; readonly reading: Reading };
/** `later`: how many drafts of the batch follow. */
type IndexedDraft = Draft & { readonly index: number; readonly later: number };
type Stored = { readonly event: NewEvent; readonly vector: SuppliedVector | null };

function decisionOf(stored: readonly Stored[]): Decision {
  return {
    events: stored.map(({ event }) => event),
    requires: [],
    vectors: stored.flatMap(({ vector }) => vector ?? []),
  };
}

function storeOne({ draft, reading, index, later }: IndexedDraft, facts: StoreFacts): Stored {
  const memoryId = facts.memoryIds[index];
  if (memoryId === undefined) throw new Error(`Draft ${index} has no memory id.`);
  // The memories of a batch keep their order: each is a microsecond older than the next one.
  const memory = memoryOf({ draft, reading }, memoryId, microsecondsBefore(facts.now, later));
  const vector = draft.vector && { ref: suppliedRef(draft.vector), memoryId, vector: draft.vector };
  const data: MemoryStoredData = {
    memory,
    vectorRef: vector?.ref ?? null,
    changed: Object.keys(memory),
    ...(reading.summary === null ? {} : { originalLength: characterCount(draft.content) }),
  };
  const event = newEvent(facts, index, {
    type: 'memory.stored',
    data,
    subject: memoryId,
    partitionKey: memoryId,
    version: 1,
    revision: 1,
  });
  return { event, vector };
}

function memoryOf({ draft, reading }: Draft, memoryId: MemoryId, now: Timestamp): Memory {
  const timestamp = draft.timestamp ?? now;
  const updatedAt = draft.updated_at ?? timestamp;
  return {
    id: memoryId,
    content: reading.summary ?? draft.content,
    type: reading.type,
    confidence: reading.confidence,
    tags: draft.tags,
    tag_prefixes: tagPrefixes(draft.tags),
    importance: draft.importance,
    metadata: reading.summary === null ? draft.metadata : withOriginal(draft),
    timestamp,
    updated_at: updatedAt,
    last_accessed: draft.last_accessed ?? updatedAt,
    t_valid: draft.t_valid ?? timestamp,
    ...(draft.t_invalid === null ? {} : { t_invalid: draft.t_invalid }),
    enriched: false,
    processed: false,
    ...draft.kept,
  };
}

function withOriginal({ content, metadata }: MemoryDraft): Memory['metadata'] {
  return { ...metadata, original_content: content, was_summarized: true, original_length: characterCount(content) };
}

/** Returns the result of the work; adds the item's index to its ValidationError. */
export function withItemIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValidationError) throw batchItemError(index, ` is invalid: ${error.message}`, error.field);
    throw error;
  }
}

/** `text` follows `Memory at index i`. */
export function batchItemError(index: number, text: string, field: string | null): ValidationError {
  return new ValidationError(
    `Memory at index ${index}${text}`,
    field === null ? `memories[${index}]` : `memories[${index}].${field}`,
  );
}
