/**
 * GET /console/ and GET /docs/: serve the files of the two pages, which `npm run build` makes. They contain no data:
 * the pages read everything with the tokens of their user.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CONSOLE_FILES, DOCS_FILES } from '../../shared/contract/graph-views/graph-view-operations.js';
import { SIGN_IN_FILE } from '../../shared/contract/graph-views/sign-in.js';
import type { Handlers, TextReply } from '../../shared/http/handler.js';
import type { OidcConfig } from '../../shared/http/oidc.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createSignIn, type SignIn } from './sign-in.js';

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

type Dependencies = {
  readonly isEnabled: boolean;
  readonly oidc: OidcConfig | null;
  readonly logger: Logger;
};

/** Throws an error of the file system when the pages were not built. */
export function createShowSites({
  isEnabled,
  oidc,
  logger,
}: Dependencies): Handlers<
  'openConsole' | 'showConsole' | 'showConsoleFile' | 'openDocs' | 'showDocs' | 'showDocsFile'
> {
  const shown = createSite({ name: 'console', files: CONSOLE_FILES, pictures: "'self'", isEnabled });
  // The style sheet of Swagger UI contains its icons.
  const docs = createSite({ name: 'docs', files: DOCS_FILES, pictures: "'self' data:", isEnabled });
  const signIn = isEnabled && oidc?.console ? createSignIn({ oidc: { ...oidc, console: oidc.console }, logger }) : null;
  const showConsolePage = signIn === null ? async () => shown.show(PAGE) : createPage(signIn);
  return {
    openConsole: shown.open,
    showConsole: showConsolePage,
    showConsoleFile: async ({ params: { path } }) => {
      if (path === PAGE) return showConsolePage();
      return path === SIGN_IN_FILE && isEnabled ? showSignIn(signIn) : shown.show(path);
    },
    openDocs: docs.open,
    showDocs: async () => docs.show(PAGE),
    showDocsFile: async ({ params: { path } }) => docs.show(path),
  };
}

const PAGE = 'index.html';

async function showSignIn(signIn: SignIn | null): Promise<TextReply> {
  if (signIn === null) throw new NotFoundError('The console has no sign-in: set OIDC_CONSOLE_CLIENT_ID');
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const text = JSON.stringify(await signIn.describe());
  return { status: 200, text, headers: { ...headers, 'x-content-type-options': 'nosniff' } };
}

/** The page of a console with a sign-in: it names the issuer, and may connect to the token endpoint too. */
function createPage(signIn: SignIn): () => Promise<TextReply> {
  const written = readFileSync(new URL(`console/${PAGE}`, FOLDER), 'utf8');
  const name = signIn.name.replaceAll('"', '');
  const text = Buffer.from(written.replace('id="console"', () => `id="console" data-issuer="${name}"`));
  const encoded = { br: brotliCompressSync(text), gzip: gzipSync(text) };
  return async () => {
    const headers = headersOf("'self'", await signIn.tokenOrigin());
    // A new policy is a new page: a browser may keep the policy of a page that did not change.
    return replyOf({ text, encoded, headers, type: '.html', version: headers['content-security-policy'] });
  };
}

function createSite({ name, files, pictures, isEnabled }: Site) {
  const headers = headersOf(pictures);
  const replies = new Map(isEnabled ? files.map((file) => [file, readReply(`${name}/${file}`, headers)] as const) : []);
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

/** `connected`: the one origin, in addition to the service, that the page may send requests to. */
function headersOf(pictures: string, connected: string | null = null) {
  const origins = connected === null ? "'self'" : `'self' ${connected}`;
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${origins}; img-src ${pictures}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
}

function requireEnabled(isEnabled: boolean): void {
  if (!isEnabled) throw new NotFoundError('The pages for browsers are switched off: set CONSOLE_ENABLED=true');
}

function readReply(path: string, headers: Readonly<Record<string, string>>): TextReply {
  const read = (suffix: string): Buffer => readFileSync(new URL(`${path}${suffix}`, FOLDER));
  return replyOf({ text: read(''), encoded: { br: read('.br'), gzip: read('.gz') }, headers, type: extname(path) });
}

type File = {
  readonly text: Buffer;
  readonly encoded: NonNullable<TextReply['encoded']>;
  readonly headers: Readonly<Record<string, string>>;
  /** The ending of its name. */
  readonly type: string;
  /** What makes it another file, in addition to its text. */
  readonly version?: string;
};

function replyOf({ text, encoded, headers, type, version = '' }: File): TextReply {
  const ETag = `"${createHash('sha256').update(text).update(version).digest('base64url').slice(0, 22)}"`;
  return {
    status: 200,
    text,
    encoded,
    headers: { ...headers, 'content-type': CONTENT_TYPES[type] ?? 'text/plain', ETag },
  };
}
