/** How a process of ours has the command API write: by internal operations, which take their own token. Callers repeat what failed. */
import type { EnrichmentOutcome, RecordEnrichments } from '../contract/enrichment.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';
import type { InternalOperation } from '../http/handler.js';
import { DependencyError } from '../kernel/errors.js';
import { createClient, type CallOf } from './create-client.js';

const TIMEOUT_MS = 10_000;

export interface CommandSender {
  /** `last_accessed = max(old, at)` for those present; at most 500. Throws DependencyError('commands'). */
  touch(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
  readonly recordEnrichments: RecordEnrichments;
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

  async function send<N extends InternalOperation>(name: N, call: CallOf<N>): Promise<unknown> {
    const answer = await client.call(name, call);
    if (answer.kind === 'answered') return answer.body;
    const told = answer.status === null ? '' : `The command API at ${url} answered ${answer.status}: `;
    throw new DependencyError('commands', `${told}${answer.message}`);
  }

  return {
    touch: async (ids, at) => void (await send('recordAccess', { body: { ids: [...ids], at } })),
    recordEnrichments: async (commands) => {
      const body = await send('recordEnrichments', { body: { commands: [...commands] } });
      // Our own answer, from a process of the same version or the next.
      return (body as { readonly outcomes: readonly EnrichmentOutcome[] }).outcomes;
    },
  };
}
