/** The revisions of MCP that the bridge serves, and how a message shows which one it is of. */
import { isRecord } from '../../shared/kernel/is-record.js';

const REVISION_2026 = '2026-07-28';
/** Each request of revision 2026-07-28 and later names its version under this key. */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** `messages`: a message of JSON-RPC, or a list of them. `header`: the version in the header of an HTTP request. */
export function isOf2026(messages: unknown, header?: string | string[]): boolean {
  return header === REVISION_2026 || (Array.isArray(messages) ? messages : [messages]).some(namesItsVersion);
}

function namesItsVersion(message: unknown): boolean {
  const params = isRecord(message) ? message['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && VERSION_KEY in meta;
}
