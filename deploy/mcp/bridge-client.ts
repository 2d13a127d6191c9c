/**
 * The client with which the bridge calls the service. It sends the token of the bridge's caller, and continues its
 * trace.
 */
import type { Client } from '../../shared/client/client.js';
import { createClient } from '../../shared/client/http-client.js';
import { currentTraceparent } from '../../shared/kernel/tracing/tracing.js';

export function createBridgeClient({
  baseUrl,
  token,
  version,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly version: string;
}): Client {
  return createClient({ baseUrl, token, userAgent: `palimpsest-mcp/${version}`, traceparent: currentTraceparent });
}
