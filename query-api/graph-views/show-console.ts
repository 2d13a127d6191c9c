/**
 * GET /console/: serves the files of the console, which `npm run build` makes. They contain no data: the page reads
 * everything with the token of its user.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CONSOLE_FILES } from '../../shared/contract/inspection/inspection-operations.js';
import type { Handlers, TextReply } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';

/** `deploy/console/bundle.ts` writes this folder. */
const FOLDER = new URL('../../deploy/console/site/', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const SAFE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

/** Throws an error of the file system when the console was not built. */
export function createShowConsole({
  isEnabled,
}: {
  readonly isEnabled: boolean;
}): Handlers<'openConsole' | 'showConsole' | 'showConsoleFile'> {
  const files = new Map<string, TextReply>(isEnabled ? CONSOLE_FILES.map((name) => [name, replyOf(name)]) : []);

  function show(name: string): TextReply {
    requireEnabled(isEnabled);
    const reply = files.get(name);
    if (reply === undefined) throw new NotFoundError('The console has no such file: open /console/');
    return reply;
  }

  return {
    openConsole: async () => {
      requireEnabled(isEnabled);
      const headers = { location: 'console/', 'content-type': 'text/plain; charset=utf-8', ...SAFE_HEADERS };
      return { status: 308, text: '', headers };
    },
    showConsole: async () => show('index.html'),
    showConsoleFile: async ({ params: { path } }) => show(path),
  };
}

function requireEnabled(isEnabled: boolean): void {
  if (!isEnabled) throw new NotFoundError('The console is switched off: set CONSOLE_ENABLED=true');
}

function replyOf(name: string): TextReply {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  const ETag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return {
    status: 200,
    text,
    headers: { ...SAFE_HEADERS, 'content-type': CONTENT_TYPES[extname(name)] ?? 'text/plain', ETag },
  };
}
