/** GET /viewer/ and GET /viewer/*path: lead a browser to the viewer of the graph, which another server has, or else to the console. */
import type { Operation } from '../operation.js';
import { text } from '../reply-parts.js';

const page = {
  ...text,
  description: 'A page that leads the browser to the viewer, with its query, its hash and `server`.',
} as const;
const none = { type: ['string', 'null'], description: 'Empty: `Location` has the address.' } as const;
const unconfigured = { ...text, description: 'GRAPH_VIEWER_URL is not set, and the console is off.' } as const;

export const viewerOperations = {
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
