/**
 * GET /viewer/ and GET /viewer/*path: lead a browser to the viewer that GRAPH_VIEWER_URL names, and to no other
 * address; without one, to the console. Only a browser knows the hash of an address, so a page of ours takes it along;
 * files of the viewer are redirects.
 */
import { createHash } from 'node:crypto';
import type { Handlers, TextReply } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { ViewerConfig } from './viewer-variables.js';

const STATIC_FILE =
  /^assets\/.|\.(?:js|mjs|css|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|json|txt|webmanifest|wasm)$/iu;
const CONSOLE = '/console/';
const PLAIN = 'text/plain; charset=utf-8';

/** The browser adds its own query, hash and the origin of the service. */
const SCRIPT = `const target = new URL(document.documentElement.dataset.target);
for (const [name, value] of new URLSearchParams(location.search)) target.searchParams.append(name, value);
target.searchParams.set('server', location.origin);
target.hash = location.hash;
location.replace(target.href);`;
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export function createShowViewer({
  isEnabled,
  isConsoleEnabled,
  base,
}: ViewerConfig): Handlers<'openViewer' | 'showViewer' | 'showViewerFile'> {
  function requireEnabled(): void {
    if (!isEnabled) throw new NotFoundError('The viewer is switched off: set ENABLE_GRAPH_VIEWER=true');
  }

  function show(path: string, querystring: string): TextReply {
    requireEnabled();
    if (base === null && isConsoleEnabled) return redirect(302, CONSOLE);
    if (base === null) {
      const text = 'Graph Viewer URL is not configured. Set GRAPH_VIEWER_URL.';
      return { status: 503, text, headers: { 'content-type': PLAIN } };
    }
    const target = targetOf(base, path);
    if (!STATIC_FILE.test(path)) return { status: 200, text: pageOf(target), headers: PAGE_HEADERS };
    target.search = querystring;
    return redirect(302, target.href);
  }

  return {
    openViewer: async ({ context: { querystring } }) => {
      requireEnabled();
      return redirect(308, querystring === '' ? '/viewer/' : `/viewer/${new URL(`http://_/?${querystring}`).search}`);
    },
    showViewer: async ({ context: { querystring } }) => show('', querystring),
    showViewerFile: async ({ params: { path }, context: { querystring } }) => show(path, querystring),
  };
}

/** Each segment is encoded, so no path changes the host, leaves the folder of the viewer or ends a header. */
function targetOf(base: URL, path: string): URL {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw new NotFoundError('The viewer has no path with . or ..: leave them out');
  const target = new URL(base);
  target.pathname = [...base.pathname.split('/').filter((part) => part !== ''), ...segments.map(encodeSegment)].join(
    '/',
  );
  return target;
}

/** A part of a character, which no encoding has, becomes U+FFFD. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(Buffer.from(segment).toString());
}

function redirect(status: number, location: string): TextReply {
  const headers = { location, 'content-type': PLAIN, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
  return { status, text: '', headers };
}

/** `href` has no quotation marks and angle brackets, because a URL encodes them; the replacements only make sure. */
function pageOf({ href }: URL): string {
  const target = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en" data-target="${target}">
<head><meta charset="utf-8"><title>Graph viewer</title></head>
<body><noscript><a href="${target}" rel="noreferrer">Open the graph viewer</a></noscript><script>${SCRIPT}</script></body>
</html>
`;
}
