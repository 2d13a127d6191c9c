/** GET /memories/:key/related: the memories that associations lead to. */
import { memorySummarySchema } from '../memory.js';
import type { Operation } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, flag, success, text, textList } from '../reply-parts.js';

export const RELATED_DEPTH_LIMIT = 3;
export const RELATED_LIMIT = 200;
/** All types of associations in all spellings are fewer. */
const TYPES_LIMIT = 50;

const relatedQuery = [
  {
    name: 'relationship_types',
    kind: 'list',
    maximumItems: TYPES_LIMIT,
    description:
      'Comma-separated types of associations to follow; unknown ones are ignored. Without a known one: the eleven types that callers can write.',
  },
  {
    name: 'max_depth',
    kind: 'integer',
    minimum: 1,
    maximum: RELATED_DEPTH_LIMIT,
    description: 'Associations between the memory and a result, at most; default 1, clamped to 1..3.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: RELATED_LIMIT,
    description: 'Memories in the answer; default RECALL_RELATION_LIMIT, clamped to 1..200.',
  },
] as const satisfies readonly QueryParameter[];

const relatedReply = closed({
  status: success,
  memory_id: text,
  count,
  related_memories: { type: 'array', items: memorySummarySchema },
  relationship_types: textList,
  max_depth: count,
  limit: count,
  truncated: {
    ...flag,
    description:
      'More associations lead on from here than one request follows: some related memories were not looked at.',
  },
});

export const relatedOperations = {
  listRelated: {
    method: 'GET',
    path: '/memories/:key/related',
    servedBy: 'query',
    access: 'api',
    summary: 'Memories that associations lead to, over up to three steps',
    query: relatedQuery,
    replies: { 200: relatedReply },
    neverAnswers: [404],
  },
} as const satisfies Record<string, Operation>;
