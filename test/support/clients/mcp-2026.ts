/** Messages of MCP's revision 2026-07-28, and the headers that an HTTP request with one needs. */

const REVISION = '2026-07-28';

type Message = { readonly id: number; readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

/** `version`: the revision that the message names. */
export function message2026({ id, method, params = {} }: Message, version: string = REVISION) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params['_meta'] as object | undefined),
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

export function headers2026({ method, params = {} }: Message, version: string = REVISION): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}
