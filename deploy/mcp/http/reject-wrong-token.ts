/** Asks the service about the token of a caller that initializes: a client shows a 401 there to its user, an error of a later tool it may not. */
import type { Client } from '../../../shared/client/client.js';
import { withTimeoutSignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { UnauthenticatedError } from '../../../shared/kernel/errors.js';

/** A service that does not answer in this time does not hold up its caller: the tools report it. */
const CHECK_MS = 2_000;

/** Throws UnauthenticatedError for a token that the service refuses. Does nothing for messages without `initialize`. */
export async function rejectWrongToken(messages: unknown, client: Client, signal: AbortSignal): Promise<void> {
  if (!initializes(messages)) return;
  const answer = await withTimeoutSignal(CHECK_MS, [signal], (ended) => client.call('streamStatus', { signal: ended }));
  if (answer.kind === 'refused' && answer.status === 401)
    throw new UnauthenticatedError('The service does not accept this API token: send the token of the service');
}

function initializes(messages: unknown): boolean {
  return (Array.isArray(messages) ? messages : [messages]).some(
    (message: { readonly method?: unknown } | null) => message?.method === 'initialize',
  );
}
