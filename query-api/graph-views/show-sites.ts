/**
 * GET /console/ and GET /docs/: serve the files of the two pages, which `npm run build` makes. They contain no data:
 * the pages read everything with the tokens of their user.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CONSOLE_FILES, DOCS_FILES } from '../../shared/contract/graph-views/graph-view-operations.js';
import type { Handlers, TextReply } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';

/** `deploy/console/bundle.ts` writes a folder for each site. */
const FOLDER = new URL('../../deploy/console/site/', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Site = {
  readonly name: 'console' | 'docs';
  readonly files: readonly string[];
  /** Sources of pictures. */
  readonly pictures: string;
  readonly isEnabled: boolean;
};

/** Throws an error of the file system when the pages were not built. */
export function createShowSites({
  isEnabled,
}: {
  readonly isEnabled: boolean;
}): Handlers<'openConsole' | 'showConsole' | 'showConsoleFile' | 'openDocs' | 'showDocs' | 'showDocsFile'> {
  const shown = createSite({ name: 'console', files: CONSOLE_FILES, pictures: "'self'", isEnabled });
  // The style sheet of Swagger UI contains its icons.
  const docs = createSite({ name: 'docs', files: DOCS_FILES, pictures: "'self' data:", isEnabled });
  return {
    openConsole: shown.open,
    showConsole: async () => shown.show('index.html'),
    showConsoleFile: async ({ params: { path } }) => shown.show(path),
    openDocs: docs.open,
    showDocs: async () => docs.show('index.html'),
    showDocsFile: async ({ params: { path } }) => docs.show(path),
  };
}

function createSite({ name, files, pictures, isEnabled }: Site) {
  const headers = {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${pictures}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
  const replies = new Map(isEnabled ? files.map((file) => [file, replyOf(`${name}/${file}`, headers)] as const) : []);
  return {
    open: async (): Promise<TextReply> => {
      requireEnabled(isEnabled);
      const location = `${name}/`;
      return { status: 308, text: '', headers: { location, 'content-type': 'text/plain; charset=utf-8', ...headers } };
    },
    show: (file: string): TextReply => {
      requireEnabled(isEnabled);
      const reply = replies.get(file);
      if (reply === undefined) throw new NotFoundError(`There is no such file: open /${name}/`);
      return reply;
    },
  };
}

function requireEnabled(isEnabled: boolean): void {
  if (!isEnabled) throw new NotFoundError('The pages for browsers are switched off: set CONSOLE_ENABLED=true');
}

function replyOf(path: string, headers: Readonly<Record<string, string>>): TextReply {
  const read = (suffix: string): Buffer => readFileSync(new URL(`${path}${suffix}`, FOLDER));
  const text = read('');
  const ETag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return {
    status: 200,
    text,
    encoded: { br: read('.br'), gzip: read('.gz') },
    headers: { ...headers, 'content-type': CONTENT_TYPES[extname(path)] ?? 'text/plain', ETag },
  };
}
