/** The operations that show the graph; among them the pages of console and viewer, and the start of a session. */
import { metadataObject } from '../memory.js';
import { DOCUMENT_COST, type Operation, route } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';
import { neighboursOperations } from './neighbours.js';
import { wholeGraphOperations } from './whole-graph.js';

const page = {
  ...text,
  description: 'A page that leads the browser to the viewer, with its query, its hash and `server`.',
} as const;
const none = { type: ['string', 'null'], description: 'Empty: `Location` has the address.' } as const;
const unconfigured = { ...text, description: 'GRAPH_VIEWER_URL is not set, and the console is off.' } as const;

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

const colors = {
  type: 'object',
  additionalProperties: text,
  description: 'The colour of each type, as #RRGGBB.',
} as const;

const shownPage = { ...text, description: 'The page.' } as const;
const shownFile = { ...text, description: 'A file of the page.' } as const;

/** The files of the pages. The page itself is `index.html`, at `/console/` and at `/docs/`. */
export const CONSOLE_FILES = [
  'index.html',
  'console.js',
  'common.js',
  'later.js',
  'issuer.js',
  'drawing.js',
  'layout-worker.js',
  'console.css',
  'icon.svg',
] as const;
export const DOCS_FILES = ['index.html', 'docs.js', 'docs.css', 'icon.svg'] as const;

export const graphViewOperations = {
  ...neighboursOperations,
  ...wholeGraphOperations,
  openViewer: {
    ...route('GET /viewer', 'query', 'public'),
    summary: 'The viewer of the graph, under its address with a slash',
    page: true,
    replies: { 308: none },
  },
  showViewer: {
    ...route('GET /viewer/', 'query', 'public'),
    summary: 'The viewer of the graph',
    page: true,
    replies: { 200: page, 302: none, 503: unconfigured },
  },
  showViewerFile: {
    ...route('GET /viewer/*path', 'query', 'public'),
    summary: 'A page or a file of the viewer of the graph',
    page: true,
    cost: DOCUMENT_COST,
    replies: { 200: page, 302: none, 503: unconfigured },
  },
  startupRecall: {
    ...route('GET /startup-recall', 'query', 'api'),
    cost: 5,
    tag: 'Recall',
    summary: 'Lessons and rules for the start of a session',
    description:
      'Lists the ten most important memories tagged `critical`, `lesson` or `ai-assistant`, and five tagged `system` or `memory-recall`. Letter case counts; the state of a memory does not.',
    replies: { 200: startupReply },
  },
  listGraphTypes: {
    ...route('GET /graph/types', 'query', 'api'),
    tag: 'Graph',
    summary: 'The types of memories and their colours',
    description: 'Constant: for clients that draw the graph.',
    replies: { 200: closed({ types: textList, colors }) },
  },
  listGraphRelations: {
    ...route('GET /graph/relations', 'query', 'api'),
    tag: 'Graph',
    summary: 'The types of associations and their colours',
    description: 'Constant: for clients that draw the graph. Internal types are left out.',
    replies: { 200: closed({ relations: textList, colors }) },
  },
  openConsole: {
    ...route('GET /console', 'query', 'public'),
    summary: 'The console, under its address with a slash',
    page: true,
    replies: { 308: none },
  },
  showConsole: {
    ...route('GET /console/', 'query', 'public'),
    summary: 'The console',
    page: true,
    replies: { 200: shownPage },
  },
  showConsoleFile: {
    ...route('GET /console/*path', 'query', 'public'),
    summary: 'A file of the console, and `sign-in.json` where its users can sign in',
    page: true,
    alsoAnswers: [503],
    cost: DOCUMENT_COST,
    replies: { 200: shownFile },
  },
  openDocs: {
    ...route('GET /docs', 'query', 'public'),
    summary: 'The page of the API, under its address with a slash',
    page: true,
    replies: { 308: none },
  },
  showDocs: {
    ...route('GET /docs/', 'query', 'public'),
    summary: 'The page of the API',
    page: true,
    replies: { 200: shownPage },
  },
  showDocsFile: {
    ...route('GET /docs/*path', 'query', 'public'),
    summary: 'A file of the page of the API',
    page: true,
    cost: DOCUMENT_COST,
    replies: { 200: shownFile },
  },
} as const satisfies Record<string, Operation>;
