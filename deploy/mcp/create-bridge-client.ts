/** How the bridge reaches the service: as one of its clients, with the token of whoever calls. */
import type { Client } from '../../shared/client/client.js';
import { createClient } from '../../shared/client/create-client.js';

export function createBridgeClient({
  baseUrl,
  token,
  version,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly version: string;
}): Client {
  return createClient({ baseUrl, token, userAgent: `palimpsest-mcp/${version}` });
}
