/** Words a failed call of the service for a model: the reason, whether anything was written, and what to do next. */
import type { ClientAnswer } from '../../shared/client/client.js';
import { failed, type ToolAnswer } from './tool.js';

export type Failure = Exclude<ClientAnswer, { readonly kind: 'answered' }>;

/** `unknown`: the advice for an unknown effect. A repeat is safe for all tools but store_memory. */
export function failureAnswer(
  failure: Failure,
  { unknown = REPEAT_IS_SAFE }: { readonly unknown?: string } = {},
): ToolAnswer {
  return failed(
    [failure.message, effectOf(failure, unknown), adviceFor(failure)].filter((part) => part !== '').join('\n'),
  );
}

const REPEAT_IS_SAFE =
  'It may have been carried out all the same; calling the tool again with the same arguments does no harm.';

function effectOf({ effect }: Failure, unknown: string): string {
  if (effect === undefined) return '';
  return effect === 'none' ? 'Nothing was written.' : unknown;
}

export const NOT_OUR_SERVICE =
  'What answered is not the memory service, or something stands in between: check AUTOMEM_API_URL where this MCP server is configured.';

export function adviceFor(failure: Failure): string {
  switch (failure.kind) {
    case 'cancelled':
      return '';
    case 'unreadable':
      return NOT_OUR_SERVICE;
    case 'unavailable':
      return failure.status === null ? UNREACHABLE : (UNAVAILABLE[failure.status] ?? OTHER_FAULT);
    case 'refused':
      return REFUSED[failure.status] ?? 'The same call will be refused again: correct what the message names.';
    default:
      return failure satisfies never;
  }
}

const UNREACHABLE =
  'It was tried several times. Check with check_database_health whether the service answers again, then repeat the call; ' +
  'if it stays away, ask the user to start it, or to correct AUTOMEM_API_URL where this MCP server is configured.';
const OTHER_FAULT =
  'The fault is not in your arguments, and it was tried several times. Wait a little and repeat the call; if it fails again, ask the user to look into the log of the service.';

const UNAVAILABLE: Readonly<Record<number, string>> = {
  502: `It was tried several times. ${NOT_OUR_SERVICE}`,
  503: 'A store that the service stands on does not answer, and it was tried several times. check_database_health says which: repeat the call when it is connected again.',
};

const KEY_ADVICE =
  "Ask the user to set AUTOMEM_API_KEY to the API token of the service, in the `env` of this MCP server in the client's configuration" +
  ' (over HTTP: as the Bearer token that the client sends), and to start it again. Calling again before that is no use.';

const REFUSED: Readonly<Record<number, string>> = {
  401: `The service did not accept the API key. ${KEY_ADVICE}`,
  403: `The API key does not allow this. ${KEY_ADVICE}`,
  404: 'It may have been deleted, or the id is not complete. Find the id with recall_memory and call again.',
  409: 'Something else was changing the same memory. Read it with recall_memory (memory_id), and repeat the call if the change is still wanted.',
  412: 'The memory was changed by another client since it was read. Read it with recall_memory (memory_id), and repeat the call if the change is still wanted.',
  413: 'The call is too large: send fewer memories at a time, or shorter ones.',
  414: 'The call is too long: name fewer tags, ids or queries, or shorter ones.',
  429: 'The service wants fewer calls: wait a little and repeat the call.',
};
