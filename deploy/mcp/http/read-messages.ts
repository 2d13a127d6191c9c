/** What a client posts: one message of JSON-RPC, or several in a list, as clients of the protocol's version 2025-03-26 may. */
import type { IncomingMessage } from 'node:http';
import { isNestedDeeperThan } from '../../../shared/http/json-depth.js';
import { readBytes } from '../../../shared/http/read-bytes.js';
import { BODY_DEPTH_LIMIT } from '../../../shared/http/read-body.js';
import { ValidationError } from '../../../shared/kernel/errors.js';

/** 500 memories of 2,000 characters, several times over; what is larger goes to the service itself. */
export const MCP_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** What JSON-RPC and a tool's call put around the arguments. */
const ENVELOPE_DEPTH = 4;

/** Not yet held against the schema of JSON-RPC, which is for the transport to do. */
export async function readMessages(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, MCP_BODY_LIMIT_BYTES);
  if (isNestedDeeperThan(BODY_DEPTH_LIMIT + ENVELOPE_DEPTH, bytes))
    throw new ValidationError(`The arguments must not be nested deeper than ${BODY_DEPTH_LIMIT} levels`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new ValidationError(
      'The body is not JSON: send one message of JSON-RPC, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    );
  }
}

/** Progress can be told on a stream of events alone; without it one JSON answer is easier for everybody. */
export function wantsProgress(messages: unknown): boolean {
  return (Array.isArray(messages) ? messages : [messages]).some(
    (message: { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } } | null) => {
      return message?.params?._meta?.progressToken !== undefined;
    },
  );
}
