/** How a process of ours has the command API write: by internal operations, which take their own token. Callers repeat what failed. */
import type { MemoryId, Timestamp } from '../contract/memory.js';
import { DependencyError } from '../kernel/errors.js';
import { createClient, type CallOf } from './create-client.js';

const TIMEOUT_MS = 10_000;

export interface CommandSender {
  /** `last_accessed = max(old, at)` for those present; at most 500. Throws DependencyError('commands'). */
  touch(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
}

export function createCommandSender({ url, token, timeoutMs = TIMEOUT_MS }: {
  /** Such as `http://127.0.0.1:8011`. */
  readonly url: string;
  /** `INTERNAL_API_TOKEN`; without one the command API refuses, and says so. */
  readonly token: string | null;
  readonly timeoutMs?: number;
}): CommandSender {
  const client = createClient({
    baseUrl: url, token: null, userAgent: 'palimpsest', timeoutMs, retryDelaysMs: [], ...(token === null ? {} : { internalToken: token }),
  });

  async function send<N extends 'recordAccess'>(name: N, call: CallOf<N>): Promise<void> {
    const answer = await client.call(name, call);
    if (answer.kind === 'answered') return;
    const told = answer.status === null ? '' : `The command API at ${url} answered ${answer.status}: `;
    throw new DependencyError('commands', `${told}${answer.message}`);
  }

  return { touch: (ids, at) => send('recordAccess', { body: { ids: [...ids], at } }) };
}
