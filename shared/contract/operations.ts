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
import { consolidationOperations } from './consolidation/consolidation-operations.js';
import { enrichmentOperations } from './enrichment.js';
import { entityOperations } from './entities/entity-operations.js';
import { eventsQuery, historyQuery } from './feed-queries.js';
import { eventsReply, historyReply } from './feed-replies.js';
import { inspectionOperations } from './inspection/inspection-operations.js';
import { maintenanceOperations } from './maintenance/maintenance-operations.js';
import type { Operation } from './operation.js';
import { byTagQuery, deleteByTagQuery, reprocessQuery } from './queries.js';
import { recallQuery } from './queries/recall-query.js';
import { recallReply } from './recall-reply.js';
import * as replies from './replies.js';
import type { ValueOf } from './reply-parts.js';
import * as statusReplies from './status-replies.js';
import { streamOperations } from './stream.js';

export const OPERATIONS = {
  storeMemory: {
    method: 'POST',
    path: '/memory',
    servedBy: 'command',
    access: 'api',
    summary: 'Store a memory',
    repeatable: true,
    ignores: ['id'],
    body: { schema: storeMemoryBody, missing: 'JSON body is required', kind: 'memory' },
    replies: { 201: replies.storedReply },
  },
  storeBatch: {
    method: 'POST',
    path: '/memory/batch',
    servedBy: 'command',
    access: 'api',
    summary: 'Store up to 500 memories, all or none',
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
    method: 'GET',
    path: '/memory/by-tag',
    servedBy: 'query',
    access: 'api',
    summary: 'List memories by tag, page by page',
    query: byTagQuery,
    replies: { 200: replies.byTagReply },
  },
  deleteByTag: {
    method: 'DELETE',
    path: '/memory/by-tag',
    servedBy: 'command',
    access: 'api',
    summary: 'Delete every memory with one of the tags',
    repeatable: true,
    query: deleteByTagQuery,
    replies: { 200: replies.deletedByTagReply },
  },
  getMemory: {
    method: 'GET',
    path: '/memory/:id',
    servedBy: 'query',
    access: 'api',
    summary: 'Read one memory with its relations',
    conditional: true,
    replies: { 200: replies.memoryReply },
  },
  updateMemory: {
    method: 'PATCH',
    path: '/memory/:id',
    servedBy: 'command',
    access: 'api',
    summary: 'Change a memory',
    repeatable: true,
    conditional: true,
    ignores: ['id', 'embedding'],
    body: { schema: updateMemoryBody, missing: 'JSON body is required', kind: 'memory' },
    replies: { 200: replies.changedReply },
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/memory/:id',
    servedBy: 'command',
    access: 'api',
    summary: 'Delete a memory, its associations and its vector',
    repeatable: true,
    conditional: true,
    replies: { 200: replies.changedReply },
  },
  associate: {
    method: 'POST',
    path: '/associate',
    servedBy: 'command',
    access: 'api',
    summary: 'Associate two memories, or up to 500 pairs',
    repeatable: true,
    body: { schema: associateBody, missing: 'JSON body is required', kind: 'associations', validatedBy: 'handler' },
    replies: { 201: replies.associateReply, 207: replies.associateBatchReply },
    alsoAnswers: [404],
  },
  recordAccess: {
    method: 'POST',
    path: '/internal/access',
    servedBy: 'command',
    access: 'internal',
    summary: 'Record when memories were last read',
    body: { schema: recordAccessBody, missing: 'JSON body is required', kind: 'small' },
    replies: { 200: replies.recordedReply },
  },
  ...enrichmentOperations,
  ...inspectionOperations,
  ...entityOperations,
  recall: {
    method: 'GET',
    path: '/recall',
    servedBy: 'query',
    access: 'api',
    summary: 'Find memories by meaning, words, tags and time',
    query: recallQuery,
    ignores: ['format', 'offset'],
    timed: true,
    replies: { 200: recallReply },
  },
  reprocess: {
    method: 'POST',
    path: '/enrichment/reprocess',
    servedBy: 'command',
    access: 'admin',
    summary: 'Request a new enrichment of memories',
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
  listEvents: {
    method: 'GET',
    path: '/events',
    servedBy: 'query',
    access: 'api',
    summary: 'Read the journal of events, in order and from any position',
    query: eventsQuery,
    replies: { 200: eventsReply },
  },
  listHistory: {
    method: 'GET',
    path: '/memory/:id/history',
    servedBy: 'query',
    access: 'api',
    summary: 'Every version of a memory, even of a deleted one',
    query: historyQuery,
    replies: { 200: historyReply },
  },
  ...streamOperations,
  enrichmentStatus: {
    method: 'GET',
    path: '/enrichment/status',
    servedBy: 'query',
    access: 'api',
    summary: 'State of background enrichment',
    replies: { 200: statusReplies.enrichmentStatusReply },
  },
  ...adminOperations,
  ...maintenanceOperations,
  ...consolidationOperations,
  health: {
    method: 'GET',
    path: '/health',
    servedBy: 'query',
    access: 'public',
    summary: 'Health of the databases and of background work',
    replies: { 200: statusReplies.healthReply },
  },
  index: {
    method: 'GET',
    path: '/',
    servedBy: 'edge',
    access: 'public',
    summary: 'Where the description of the API is',
    replies: { 200: statusReplies.indexReply },
  },
  livez: {
    method: 'GET',
    path: '/livez',
    servedBy: 'edge',
    access: 'public',
    summary: 'The process runs',
    replies: { 200: statusReplies.probeReply },
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    servedBy: 'edge',
    access: 'public',
    summary: 'The process can serve',
    replies: { 200: statusReplies.probeReply },
    alsoAnswers: [503],
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    servedBy: 'edge',
    access: 'public',
    summary: 'This document',
    replies: { 200: statusReplies.openApiReply },
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

type RepliesOf<N extends OperationName> = (typeof OPERATIONS)[N]['replies'];

/** The statuses of the successful answers of an operation. */
export type StatusOf<N extends OperationName> = keyof RepliesOf<N> & number;

/** The body of a successful answer of an operation: with one status, or with any of them. */
export type ReplyOf<N extends OperationName, S extends StatusOf<N> = StatusOf<N>> = {
  [K in S]: ValueOf<RepliesOf<N>[K]>;
}[S];
