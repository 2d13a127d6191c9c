/** The service's table of contents: every HTTP operation. Routes, validation, OpenAPI and the gateway are made from this list alone. */
import { associateBody, reprocessBody, storeBatchBody, storeMemoryBody, updateMemoryBody } from './commands.js';
import { recordEnrichmentsBody } from './enrichment.js';
import { eventsQuery, historyQuery } from './feed-queries.js';
import { eventsReply, historyReply } from './feed-replies.js';
import { recordAccessBody } from './internal-commands.js';
import { byTagQuery, deleteByTagQuery, recallQuery, reprocessQuery, type QueryParameter } from './queries.js';
import * as replies from './replies.js';
import * as steering from './steering.js';
import { streamQuery, streamReply, streamStatusReply } from './stream.js';

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:id` stands for a memory id, `:name` for the name of a projector. */
  readonly path: string;
  /** Which API answers it. `edge`: whichever process the request reaches. */
  readonly room: 'command' | 'query' | 'edge';
  /** `internal`: between processes of ours, with their own token; in no document, and the gateway does not let it through. */
  readonly access: 'public' | 'api' | 'admin' | 'internal';
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  /**
   * `missing`: the text for no JSON object. `isOptional`: no body at all is an empty object. `judgedBy: 'room'`: the edge checks only that it
   * is an object; the room judges the rest.
   */
  readonly body?: {
    readonly schema: object;
    readonly missing: string;
    readonly isOptional?: true;
    readonly judgedBy?: 'room';
  };
  /** Takes `Idempotency-Key`; answers carry `Memory-Position` where something changed. */
  readonly repeatable?: true;
  /** Answers carry `ETag`; commands take `If-Match`. */
  readonly conditional?: true;
  /** Answers carry `Server-Timing`. */
  readonly timed?: true;
  /** Answers with server-sent events until somebody ends it; takes `Last-Event-ID`. */
  readonly stream?: true;
  readonly replies: Readonly<Record<number, object>>;
  /** Every problem status it can answer with, all in the one error body. */
  readonly problems: readonly number[];
};

export const OPERATIONS = {
  storeMemory: {
    method: 'POST',
    path: '/memory',
    room: 'command',
    access: 'api',
    summary: 'Store a memory',
    repeatable: true,
    body: { schema: storeMemoryBody, missing: 'JSON body is required' },
    replies: { 201: replies.storedReply },
    problems: [400, 401, 409, 413, 414, 422, 503],
  },
  storeBatch: {
    method: 'POST',
    path: '/memory/batch',
    room: 'command',
    access: 'api',
    summary: 'Store up to 500 memories, all or none',
    repeatable: true,
    body: { schema: storeBatchBody, missing: "JSON body with 'memories' array required", judgedBy: 'room' },
    replies: { 201: replies.batchReply },
    problems: [400, 401, 409, 413, 414, 422, 503],
  },
  listByTag: {
    method: 'GET',
    path: '/memory/by-tag',
    room: 'query',
    access: 'api',
    summary: 'List memories by tag, page by page',
    query: byTagQuery,
    replies: { 200: replies.byTagReply },
    problems: [400, 401, 414, 503],
  },
  deleteByTag: {
    method: 'DELETE',
    path: '/memory/by-tag',
    room: 'command',
    access: 'api',
    summary: 'Delete every memory with one of the tags',
    repeatable: true,
    query: deleteByTagQuery,
    replies: { 200: replies.deletedByTagReply },
    problems: [400, 401, 409, 414, 422, 503],
  },
  getMemory: {
    method: 'GET',
    path: '/memory/:id',
    room: 'query',
    access: 'api',
    summary: 'Read one memory with its relations',
    conditional: true,
    replies: { 200: replies.memoryReply },
    problems: [400, 401, 404, 414, 503],
  },
  updateMemory: {
    method: 'PATCH',
    path: '/memory/:id',
    room: 'command',
    access: 'api',
    summary: 'Change a memory',
    repeatable: true,
    conditional: true,
    body: { schema: updateMemoryBody, missing: 'JSON body is required' },
    replies: { 200: replies.changedReply },
    problems: [400, 401, 404, 409, 412, 413, 414, 422, 503],
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/memory/:id',
    room: 'command',
    access: 'api',
    summary: 'Delete a memory, its associations and its vector',
    repeatable: true,
    conditional: true,
    replies: { 200: replies.changedReply },
    problems: [400, 401, 404, 409, 412, 414, 422, 503],
  },
  associate: {
    method: 'POST',
    path: '/associate',
    room: 'command',
    access: 'api',
    summary: 'Associate two memories, or up to 500 pairs',
    repeatable: true,
    body: { schema: associateBody, missing: 'JSON body is required', judgedBy: 'room' },
    replies: { 201: replies.associateReply, 207: replies.associateBatchReply },
    problems: [400, 401, 404, 409, 413, 414, 422, 503],
  },
  recordAccess: {
    method: 'POST',
    path: '/internal/access',
    room: 'command',
    access: 'internal',
    summary: 'Note when memories were last read',
    body: { schema: recordAccessBody, missing: 'JSON body is required' },
    replies: { 200: replies.recordedReply },
    problems: [400, 401, 403, 413, 414, 503],
  },
  recordEnrichments: {
    method: 'POST',
    path: '/internal/enrichments',
    room: 'command',
    access: 'internal',
    summary: 'Record what the enricher found out',
    body: { schema: recordEnrichmentsBody, missing: 'JSON body is required' },
    replies: { 200: replies.enrichmentsReply },
    problems: [400, 401, 403, 413, 414, 503],
  },
  recall: {
    method: 'GET',
    path: '/recall',
    room: 'query',
    access: 'api',
    summary: 'Find memories by meaning, words, tags and time',
    query: recallQuery,
    timed: true,
    replies: { 200: replies.recallReply },
    problems: [400, 401, 414, 503],
  },
  reprocess: {
    method: 'POST',
    path: '/enrichment/reprocess',
    room: 'command',
    access: 'admin',
    summary: 'Have memories enriched again',
    repeatable: true,
    query: reprocessQuery,
    body: {
      schema: reprocessBody,
      missing: 'No memory ids provided for reprocessing',
      isOptional: true,
      judgedBy: 'room',
    },
    replies: { 202: replies.reprocessReply },
    problems: [400, 401, 403, 409, 413, 414, 422, 503],
  },
  listEvents: {
    method: 'GET',
    path: '/events',
    room: 'query',
    access: 'api',
    summary: 'Read the journal of events, in order and from any position',
    query: eventsQuery,
    replies: { 200: eventsReply },
    problems: [400, 401, 414, 503],
  },
  listHistory: {
    method: 'GET',
    path: '/memory/:id/history',
    room: 'query',
    access: 'api',
    summary: 'Every version of a memory, also of a deleted one',
    query: historyQuery,
    replies: { 200: historyReply },
    problems: [400, 401, 404, 414, 503],
  },
  stream: {
    method: 'GET',
    path: '/stream',
    room: 'query',
    access: 'api',
    summary: 'Watch what happens, as server-sent events',
    query: streamQuery,
    stream: true,
    replies: { 200: streamReply },
    problems: [400, 401, 414, 503],
  },
  streamStatus: {
    method: 'GET',
    path: '/stream/status',
    room: 'query',
    access: 'api',
    summary: 'How many watch the stream at the instance that answers',
    replies: { 200: streamStatusReply },
    problems: [401, 414],
  },
  enrichmentStatus: {
    method: 'GET',
    path: '/enrichment/status',
    room: 'query',
    access: 'api',
    summary: 'State of background enrichment',
    replies: { 200: replies.enrichmentStatusReply },
    problems: [401, 414, 503],
  },
  listDeadLetters: {
    method: 'GET',
    path: '/admin/dead-letters',
    room: 'query',
    access: 'admin',
    summary: 'Events that a projector could not project, page by page',
    query: steering.deadLettersQuery,
    replies: { 200: steering.deadLettersReply },
    problems: [400, 401, 403, 414, 503],
  },
  redriveDeadLetters: {
    method: 'POST',
    path: '/admin/dead-letters/redrive',
    room: 'command',
    access: 'admin',
    summary: 'Try dead letters again',
    body: { schema: steering.chosenLettersBody, missing: "JSON body with 'ids' or 'projector' required" },
    replies: { 202: steering.redriveReply },
    problems: [400, 401, 403, 413, 414, 503],
  },
  discardDeadLetters: {
    method: 'POST',
    path: '/admin/dead-letters/discard',
    room: 'command',
    access: 'admin',
    summary: 'Give dead letters up',
    body: { schema: steering.chosenLettersBody, missing: "JSON body with 'ids' or 'projector' required" },
    replies: { 200: steering.discardReply },
    problems: [400, 401, 403, 413, 414, 503],
  },
  listProjectors: {
    method: 'GET',
    path: '/admin/projectors',
    room: 'query',
    access: 'admin',
    summary: 'How each projector and each of its instances is getting on',
    replies: { 200: steering.projectorsReply },
    problems: [401, 403, 414, 503],
  },
  pauseProjector: {
    method: 'POST',
    path: '/admin/projectors/:name/pause',
    room: 'command',
    access: 'admin',
    summary: 'Let a projector stand still, in all of its instances',
    replies: { 200: steering.steeredReply },
    problems: [401, 403, 404, 414, 503],
  },
  resumeProjector: {
    method: 'POST',
    path: '/admin/projectors/:name/resume',
    room: 'command',
    access: 'admin',
    summary: 'Let a projector go on',
    replies: { 200: steering.steeredReply },
    problems: [401, 403, 404, 414, 503],
  },
  health: {
    method: 'GET',
    path: '/health',
    room: 'query',
    access: 'public',
    summary: 'Health of the stores and of background work',
    replies: { 200: replies.healthReply },
    problems: [414],
  },
  livez: {
    method: 'GET',
    path: '/livez',
    room: 'edge',
    access: 'public',
    summary: 'The process runs',
    replies: { 200: replies.probeReply },
    problems: [414],
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    room: 'edge',
    access: 'public',
    summary: 'The process can serve',
    replies: { 200: replies.probeReply },
    problems: [414, 503],
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    room: 'edge',
    access: 'public',
    summary: 'This document',
    replies: { 200: replies.openApiReply },
    problems: [414],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
