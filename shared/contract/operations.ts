/** The table of all HTTP operations. Routes, validation, OpenAPI and the gateway are made from this table only. */
import { adminOperations } from './admin.js';
import {
  associateBody,
  recordAccessBody,
  reprocessBody,
  storeBatchBody,
  storeMemoryBody,
  updateMemoryBody,
} from './commands.js';
import { consolidationOperations } from './consolidation/consolidate.js';
import { enrichmentOperations } from './enrichment.js';
import { auditOperations } from './entities/audit.js';
import { entityOperations } from './entities/entity.js';
import { feedOperations } from './feed.js';
import { graphViewOperations } from './graph-views/graph-view-operations.js';
import { jobOperations } from './maintenance/jobs.js';
import { keyOperations } from './maintenance/keys.js';
import { tenantOperations } from './maintenance/tenants.js';
import { transferOperations } from './maintenance/transfer.js';
import { vectorIndexOperations } from './maintenance/vector-index.js';
import { webhookOperations } from './maintenance/webhooks.js';
import { type Operation, route } from './operation.js';
import { byTagQuery, deleteByTagQuery, reprocessQuery } from './queries.js';
import { listOperations } from './queries/list-memories.js';
import { recallCost, recallQuery } from './queries/recall-query.js';
import { recallReply } from './recall-reply.js';
import * as replies from './replies.js';
import type { ValueOf } from './reply-parts.js';
import { statusOperations } from './status.js';
import { streamOperations } from './stream.js';

export const OPERATIONS = {
  storeMemory: {
    ...route('POST /memory', 'command', 'api'),
    cost: 2,
    tag: 'Memories',
    summary: 'Store a memory',
    description:
      'Stores one memory under a new id. The answer comes after the commit; the vector and the enrichment follow in the background, unless the request has an embedding.',
    repeatable: true,
    ignores: ['id'],
    body: { schema: storeMemoryBody, missing: 'JSON body is required', kind: 'memory' },
    replies: { 201: replies.storedReply },
  },
  storeBatch: {
    ...route('POST /memory/batch', 'command', 'api'),
    tag: 'Memories',
    summary: 'Store up to 500 memories, all or none',
    description: 'Stores up to 500 memories in one commit, and waits for their vectors up to a limit of time.',
    repeatable: true,
    ignores: ['id'],
    body: {
      schema: storeBatchBody,
      missing: "JSON body with 'memories' array required",
      kind: 'memories',
      validatedBy: 'handler',
    },
    replies: { 201: replies.batchReply },
  },
  listByTag: {
    ...route('GET /memory/by-tag', 'query', 'api'),
    cost: 4,
    tag: 'Memories',
    summary: 'List memories by tag, page by page',
    description:
      'Lists memories with any of the tags: most important first, then newest, then by id. Nothing is ranked or hidden.',
    query: byTagQuery,
    replies: { 200: replies.byTagReply },
  },
  ...listOperations,
  deleteByTag: {
    ...route('DELETE /memory/by-tag', 'command', 'api'),
    cost: 20,
    tag: 'Memories',
    summary: 'Delete every memory with one of the tags',
    description: 'Deletes every memory with one of the tags, in rounds of 200.',
    repeatable: true,
    query: deleteByTagQuery,
    replies: { 200: replies.deletedByTagReply },
  },
  getMemory: {
    ...route('GET /memory/:id', 'query', 'api'),
    cost: 20, // the memory may have many associations
    tag: 'Memories',
    summary: 'Read one memory with its relations',
    description: 'Reads one memory with its associations in both directions.',
    conditional: true,
    replies: { 200: replies.memoryReply },
  },
  updateMemory: {
    ...route('PATCH /memory/:id', 'command', 'api'),
    cost: 6,
    tag: 'Memories',
    summary: 'Change a memory',
    description: 'Changes the given fields. `tags` and `metadata` replace the stored ones as a whole.',
    repeatable: true,
    conditional: true,
    ignores: ['id', 'embedding'],
    body: { schema: updateMemoryBody, missing: 'JSON body is required', kind: 'memory' },
    replies: { 200: replies.changedReply },
  },
  deleteMemory: {
    ...route('DELETE /memory/:id', 'command', 'api'),
    cost: 6,
    tag: 'Memories',
    summary: 'Delete a memory, its associations and its vector',
    description: 'Deletes one memory with its associations and its vector. A second call answers 404.',
    repeatable: true,
    conditional: true,
    replies: { 200: replies.changedReply },
  },
  associate: {
    ...route('POST /associate', 'command', 'api'),
    cost: 2,
    tag: 'Associations',
    summary: 'Associate two memories, or up to 500 pairs',
    description:
      'Writes one association, or with `associations` up to 500 of which single ones may fail (207). The same pair with the same type is updated.',
    repeatable: true,
    body: { schema: associateBody, missing: 'JSON body is required', kind: 'associations', validatedBy: 'handler' },
    replies: { 201: replies.associateReply, 207: replies.associatedBatch },
    alsoAnswers: [404],
  },
  recordAccess: {
    ...route('POST /internal/access', 'command', 'internal'),
    summary: 'Record when memories were last read',
    body: { schema: recordAccessBody, missing: 'JSON body is required', kind: 'small' },
    replies: { 200: replies.recordedReply },
  },
  ...enrichmentOperations,
  ...graphViewOperations,
  ...entityOperations,
  ...auditOperations,
  recall: {
    ...route('GET /recall', 'query', 'api'),
    tag: 'Recall',
    summary: 'Find memories by meaning, words, tags and time',
    description:
      'Ranks memories by a weighted sum of vector, keyword, tag, time and graph evidence. Without a query it lists trending memories. With a query or an embedding it first waits, up to RECALL_FRESH_WAIT_MS, until the index has every write that was answered before; not while the index is further behind than that, or stands still.',
    cost: recallCost,
    query: recallQuery,
    ignores: ['format', 'offset'],
    timed: true,
    replies: { 200: recallReply },
  },
  reprocess: {
    ...route('POST /enrichment/reprocess', 'command', 'admin'),
    tag: 'Enrichment',
    summary: 'Request a new enrichment of memories',
    description: 'Asks for a new enrichment of the listed memories, given in the body or in the query.',
    repeatable: true,
    query: reprocessQuery,
    body: {
      schema: reprocessBody,
      missing: 'No memory ids provided for reprocessing',
      kind: 'small',
      isOptional: true,
      validatedBy: 'handler',
    },
    replies: { 202: replies.reprocessReply },
  },
  ...feedOperations,
  ...streamOperations,
  ...adminOperations,
  ...jobOperations,
  ...vectorIndexOperations,
  ...transferOperations,
  ...webhookOperations,
  ...keyOperations,
  ...tenantOperations,
  ...consolidationOperations,
  ...statusOperations,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

type RepliesOf<N extends OperationName> = (typeof OPERATIONS)[N]['replies'];

/** The statuses of the successful answers of an operation. */
export type StatusOf<N extends OperationName> = keyof RepliesOf<N> & number;

/** The body of a successful answer of an operation: with one status, or with any of them. */
export type ReplyOf<N extends OperationName, S extends StatusOf<N> = StatusOf<N>> = {
  [K in S]: ValueOf<RepliesOf<N>[K]>;
}[S];
