/**
 * Parses the body of a store command into a draft: all rules that need no state. POST /memory and the batch both use
 * it.
 */
import type { StoreMemoryBody } from '../../shared/contract/commands.js';
import type { Memory, MemoryType, Timestamp } from '../../shared/contract/memory.js';
import {
  type Metadata,
  readContent,
  readEmbedding,
  readJsonObject,
  readTags,
  readTimestamp,
  rejectReversedValidity,
} from './memory-fields.js';

export type MemoryLimits = {
  /** Characters (code points). */
  readonly contentHardLimit: number;
  readonly vectorSize: number;
};

export type MemoryDraft = {
  readonly content: string;
  /** Null: the content must be classified. */
  readonly type: MemoryType | null;
  /** Used only when the caller gave the type. */
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly metadata: Metadata;
  readonly t_valid: Timestamp | null;
  readonly t_invalid: Timestamp | null;
  readonly vector: Float32Array | null;
  readonly timestamp: Timestamp | null;
  readonly updated_at: Timestamp | null;
  readonly last_accessed: Timestamp | null;
  /** Further properties of an imported memory. */
  readonly kept?: KeptState;
};

/** The properties that only an import can give. */
export type KeptState = Partial<
  Pick<Memory, 'summary' | 'relevance_score' | 'archived' | 'archived_at' | 'protected' | 'protected_reason'>
>;

const GIVEN_TYPE_CONFIDENCE = 0.9;
const DEFAULT_IMPORTANCE = 0.5;

type OptionalField =
  | 'type'
  | 'confidence'
  | 'tags'
  | 'importance'
  | 'metadata'
  | 'timestamp'
  | 't_valid'
  | 't_invalid'
  | 'updated_at'
  | 'last_accessed'
  | 'embedding';

/** The fields of a body; an optional field may also be there with the value undefined. */
type MemoryFields = Pick<StoreMemoryBody, 'content'> & {
  readonly [K in OptionalField]?: StoreMemoryBody[K] | undefined;
};

/** Checks the fields in the order of the contract: a client sees the first of several errors. */
export function draftMemory(body: MemoryFields, limits: MemoryLimits): MemoryDraft {
  const draft: MemoryDraft = {
    content: readContent(body.content, limits.contentHardLimit),
    tags: readTags(body.tags ?? []),
    importance: body.importance ?? DEFAULT_IMPORTANCE,
    metadata: readJsonObject(body.metadata ?? {}, 'metadata'),
    type: body.type ?? null,
    confidence: body.confidence ?? GIVEN_TYPE_CONFIDENCE,
    t_valid: readTimestamp(body.t_valid, 't_valid'),
    t_invalid: readTimestamp(body.t_invalid, 't_invalid'),
    vector: body.embedding ? readEmbedding(body.embedding, limits.vectorSize) : null,
    timestamp: readTimestamp(body.timestamp, 'timestamp', 'bare'),
    updated_at: readTimestamp(body.updated_at, 'updated_at'),
    last_accessed: readTimestamp(body.last_accessed, 'last_accessed'),
  };
  rejectReversedValidity(draft.t_valid, draft.t_invalid);
  return draft;
}
