/** Reads the body of a POST: one JSON-RPC message, or a list of messages, which version 2025-03-26 of the protocol allows. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMITS } from '../../../shared/contract/limits.js';
import { jsonExcess } from '../../../shared/http/request/json-excess.js';
import { BODY_DEPTH_LIMIT } from '../../../shared/http/request/read-body.js';
import { readBytes } from '../../../shared/http/request/read-bytes.js';
import { ValidationError } from '../../../shared/kernel/errors.js';

/** Several times the size of 500 memories of 2,000 characters. Larger bodies have to go to the service itself. */
export const MCP_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Levels of nesting that JSON-RPC and a tool call add around the arguments. */
const ENVELOPE_DEPTH = 4;

/** Returns parsed JSON. The transport validates it against the schema of JSON-RPC. */
export async function readMessages(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const bytes = await readBytes(request, { limitBytes: MCP_BODY_LIMIT_BYTES, response });
  const limits = BODY_LIMITS.memories;
  const excess = jsonExcess({ ...limits, depth: BODY_DEPTH_LIMIT + ENVELOPE_DEPTH }, bytes);
  if (excess === 'depth')
    throw new ValidationError(`The arguments must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  if (excess !== null) throw new ValidationError(`The arguments must not hold more than ${limits[excess]} ${excess}`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new ValidationError(
      'The body is not JSON: send one message of JSON-RPC, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    );
  }
}

/** Progress needs an event stream. Without progress the bridge sends one JSON answer, which is simpler for both sides. */
export function wantsProgress(messages: unknown): boolean {
  return (Array.isArray(messages) ? messages : [messages]).some(
    (message: { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } } | null) => {
      return message?.params?._meta?.progressToken !== undefined;
    },
  );
}
