/** Parses the body of PATCH /memory/:id into a change: only the given properties, each with the rules of POST. */
import type { UpdateMemoryBody } from '../../shared/contract/commands.js';
import type { Memory, Timestamp } from '../../shared/contract/memory.js';
import { tagPrefixes } from '../../shared/text/tags.js';
import type { MemoryLimits } from './draft-memory.js';
import { readContent, readJsonObject, readTags, readTimestamp } from './memory-fields.js';

type Changeable =
  | 'content'
  | 'type'
  | 'confidence'
  | 'tags'
  | 'tag_prefixes'
  | 'importance'
  | 'metadata'
  | 'timestamp'
  | 'updated_at'
  | 'last_accessed';

/** An absent property keeps its value; `null` for `t_valid` or `t_invalid` removes it. */
export type MemoryChange = Partial<Pick<Memory, Changeable>> & {
  readonly t_valid?: Timestamp | null;
  readonly t_invalid?: Timestamp | null;
};

export function draftUpdate(body: UpdateMemoryBody, limits: Pick<MemoryLimits, 'contentHardLimit'>): MemoryChange {
  const tags = body.tags === undefined ? undefined : readTags(body.tags ?? []);
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

function withoutAbsent<T extends object>(properties: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}
