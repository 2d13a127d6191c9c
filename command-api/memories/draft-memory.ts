/** Parses the bodies of the store commands and of PATCH: all rules that need no state. */
import type {
  StoreMemoryBody,
  storeMemoryBody,
  UpdateMemoryBody,
  updateMemoryBody,
} from '../../shared/contract/commands.js';
import type { Memory, MemoryType, Timestamp } from '../../shared/contract/memory.js';
import { tagPrefixes } from '../../shared/text/tags.js';
import {
  type Metadata,
  readContent,
  readEmbedding,
  readJsonObject,
  readTagsWithin,
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

type Field = keyof (typeof storeMemoryBody)['properties'];
/** The fields of a body; an optional field may also be there with the value undefined. */
type MemoryFields = Pick<StoreMemoryBody, 'content'> & {
  readonly [K in Exclude<Field, 'content'>]?: StoreMemoryBody[K] | undefined;
};

/**
 * Checks the fields in the order of the contract: a client sees the first of several errors. `tag`: of the caller's
 * key.
 */
export function draftMemory(body: MemoryFields, limits: MemoryLimits, tag: string | null): MemoryDraft {
  const draft: MemoryDraft = {
    content: readContent(body.content, limits.contentHardLimit),
    tags: readTagsWithin(body.tags ?? [], tag),
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

type Changeable = Exclude<keyof (typeof updateMemoryBody)['properties'], 't_valid' | 't_invalid'> | 'tag_prefixes';

/** An absent property keeps its value; `null` for `t_valid` or `t_invalid` removes it. */
export type MemoryChange = Partial<Pick<Memory, Changeable>> & {
  readonly t_valid?: Timestamp | null;
  readonly t_invalid?: Timestamp | null;
};

/** `tag`: of the caller's key. A memory that it sees has the tag already, so only new tags need it. */
export function draftUpdate(
  body: UpdateMemoryBody,
  limits: Pick<MemoryLimits, 'contentHardLimit'>,
  tag: string | null,
): MemoryChange {
  const tags = body.tags === undefined ? undefined : readTagsWithin(body.tags ?? [], tag);
  return withoutAbsent({
    content: body.content === undefined ? undefined : readContent(body.content, limits.contentHardLimit),
    tags,
    tag_prefixes: tags && tagPrefixes(tags),
    importance: body.importance,
    confidence: body.confidence,
    type: body.type,
    metadata: body.metadata === undefined ? undefined : readJsonObject(body.metadata ?? {}, 'metadata'),
    timestamp: readTimestamp(body.timestamp, 'timestamp') ?? undefined,
    t_valid: body.t_valid === undefined ? undefined : readTimestamp(body.t_valid, 't_valid'),
    t_invalid: body.t_invalid === undefined ? undefined : readTimestamp(body.t_invalid, 't_invalid'),
    updated_at: readTimestamp(body.updated_at, 'updated_at') ?? undefined,
    last_accessed: readTimestamp(body.last_accessed, 'last_accessed') ?? undefined,
  });
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function withoutAbsent<T extends object>(properties: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}
