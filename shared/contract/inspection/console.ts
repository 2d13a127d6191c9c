/** GET /console/ and GET /console/*path: the console of operators, as a page with its files. */
import type { Operation } from '../operation.js';
import { text } from '../reply-parts.js';

const page = { ...text, description: 'The page of the console.' } as const;
const file = { ...text, description: 'A file of the page.' } as const;
const none = { type: ['string', 'null'], description: 'Empty: `Location` has the address.' } as const;

/** The files of the page. The page itself is `index.html`, at `/console/`. */
export const CONSOLE_FILES = ['index.html', 'console.js', 'console.css', 'icon.svg'] as const;

export const consoleOperations = {
  openConsole: {
    method: 'GET',
    path: '/console',
    servedBy: 'query',
    access: 'public',
    summary: 'The console, under its address with a slash',
    page: true,
    replies: { 308: none },
  },
  showConsole: {
    method: 'GET',
    path: '/console/',
    servedBy: 'query',
    access: 'public',
    summary: 'The console',
    page: true,
    replies: { 200: page },
  },
  showConsoleFile: {
    method: 'GET',
    path: '/console/*path',
    servedBy: 'query',
    access: 'public',
    summary: 'A file of the console',
    page: true,
    replies: { 200: file },
  },
} as const satisfies Record<string, Operation>;
