/**
 * Protects a bridge on this machine from DNS rebinding. A web page can resolve its own name to 127.0.0.1 and then send requests to local
 * servers as if they were its own. The browser still sends the page's name in the headers Host and Origin, so this check rejects foreign names.
 */
import type { IncomingMessage } from 'node:http';
import { hostNameOf, isLoopbackAddress, isLoopbackName, isLoopbackOrigin } from '../../../shared/http/loopback.js';
import { ForbiddenError } from '../../../shared/kernel/errors.js';
import type { McpEdgeConfig } from '../bridge-config.js';

/** Throws ForbiddenError. On an address other than loopback, Host may be any name: there rebinding gives a page no more access than a direct request. */
export function rejectRebinding(
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
      'Pages of this origin may not use MCP here: to allow them, add the origin to MCP_ALLOWED_ORIGINS of the bridge',
    );
  }
  const name = hostNameOf(host);
  if (!isLoopbackAddress(socket.localAddress ?? '') || isLoopbackName(name) || allowedHosts.includes(name)) return;
  throw new ForbiddenError(
    'The Host header is not a name of this machine: use localhost in the address, or add the host to MCP_ALLOWED_HOSTS if a proxy forwards it',
  );
}
