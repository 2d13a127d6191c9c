/** The operations that show the graph, as one part of the table of all operations. */
import { metadataObject } from '../memory.js';
import type { Operation } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';
import { consoleOperations } from './console.js';
import { neighboursOperations } from './neighbours.js';
import { relatedOperations } from './related.js';
import { snapshotOperations } from './snapshot.js';
import { statisticsOperations } from './statistics.js';

const page = {
  ...text,
  description: 'A page that leads the browser to the viewer, with its query, its hash and `server`.',
} as const;
const none = { type: ['string', 'null'], description: 'Empty: `Location` has the address.' } as const;
const unconfigured = { ...text, description: 'GRAPH_VIEWER_URL is not set, and the console is off.' } as const;

const viewerOperations = {
  openViewer: {
    method: 'GET',
    path: '/viewer',
    servedBy: 'query',
    access: 'public',
    summary: 'The viewer of the graph, under its address with a slash',
    page: true,
    replies: { 308: none },
  },
  showViewer: {
    method: 'GET',
    path: '/viewer/',
    servedBy: 'query',
    access: 'public',
    summary: 'The viewer of the graph',
    page: true,
    replies: { 200: page, 302: none, 503: unconfigured },
  },
  showViewerFile: {
    method: 'GET',
    path: '/viewer/*path',
    servedBy: 'query',
    access: 'public',
    summary: 'A page or a file of the viewer of the graph',
    page: true,
    replies: { 200: page, 302: none, 503: unconfigured },
  },
} as const satisfies Record<string, Operation>;

const lesson = closed({
  id: text,
  content: text,
  tags: textList,
  importance: number,
  type: text,
  metadata: metadataObject,
});

const startupReply = closed({
  status: success,
  critical_lessons: { type: 'array', items: lesson, description: 'Most important first.' },
  system_rules: { type: 'array', items: closed({ id: text, content: text, tags: textList }) },
  lesson_count: count,
  has_critical: { ...flag, description: 'One of the lessons has an importance of at least 0.9.' },
  summary: text,
});

const startupOperations = {
  startupRecall: {
    method: 'GET',
    path: '/startup-recall',
    servedBy: 'query',
    access: 'api',
    summary: 'Lessons and rules for the start of a session',
    replies: { 200: startupReply },
  },
} as const satisfies Record<string, Operation>;

const colors = {
  type: 'object',
  additionalProperties: text,
  description: 'The colour of each type, as #RRGGBB.',
} as const;

const drawnKindsOperations = {
  listGraphTypes: {
    method: 'GET',
    path: '/graph/types',
    servedBy: 'query',
    access: 'api',
    summary: 'The types of memories and their colours',
    replies: { 200: closed({ types: textList, colors }) },
    neverAnswers: [503],
  },
  listGraphRelations: {
    method: 'GET',
    path: '/graph/relations',
    servedBy: 'query',
    access: 'api',
    summary: 'The types of associations and their colours',
    replies: { 200: closed({ relations: textList, colors }) },
    neverAnswers: [503],
  },
} as const satisfies Record<string, Operation>;

export const inspectionOperations = {
  ...relatedOperations,
  ...startupOperations,
  ...drawnKindsOperations,
  ...snapshotOperations,
  ...neighboursOperations,
  ...statisticsOperations,
  ...viewerOperations,
  ...consoleOperations,
} as const satisfies Record<string, Operation>;
