/**
 * Keeps web pages of others out. A page may lead its own name to 127.0.0.1 and then talk to what listens there as if it were its own
 * server; the browser still tells in Host and Origin whose page it is.
 */
import type { IncomingMessage } from 'node:http';
import { ForbiddenError } from '../../../shared/kernel/errors.js';
import type { McpEdgeConfig } from '../bridge-config.js';

const LOOPBACK_NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/iu;
const LOOPBACK_ADDRESSES = /^(?:::ffff:)?127\.|^::1$/u;

/** Throws ForbiddenError. Where the request came in on another address of the machine, Host may be any name: no page gains by it there. */
export function refuseRebinding(
  { headers, socket }: IncomingMessage,
  { allowedOrigins, allowedHosts }: McpEdgeConfig,
): void {
  const { origin, host = '' } = headers;
  if (
    origin !== undefined &&
    !allowedOrigins.includes('*') &&
    !allowedOrigins.includes(origin) &&
    !isLoopbackOrigin(origin)
  ) {
    throw new ForbiddenError(
      'Pages of this origin may not use MCP here: whoever runs the bridge names it in MCP_ALLOWED_ORIGINS',
    );
  }
  const name = nameIn(host);
  if (!LOOPBACK_ADDRESSES.test(socket.localAddress ?? '') || LOOPBACK_NAMES.test(name) || allowedHosts.includes(name))
    return;
  throw new ForbiddenError(
    'This machine is not called so: use localhost in the address, or name the host in MCP_ALLOWED_HOSTS where a proxy passes it on',
  );
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK_NAMES.test(new URL(origin).hostname);
}

/** Without the port. */
function nameIn(host: string): string {
  return host.trim().toLowerCase().replace(/:\d+$/u, '');
}
