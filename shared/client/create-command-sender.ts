/**
 * How a process of ours has the command API write: by internal operations, which take their own token. Where one instance does not answer the
 * next is asked: each command names the version it expects, or may be carried out twice. Callers repeat what failed everywhere.
 */
import type { EnrichmentOutcome, RecordEnrichments } from '../contract/enrichment.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';
import type { InternalOperation } from '../http/handler.js';
import { DependencyError } from '../kernel/errors.js';
import type { CallOf } from './client.js';
import { createClient } from './create-client.js';

const TIMEOUT_MS = 10_000;

export interface CommandSender {
  /** `last_accessed = max(old, at)` for those present; at most 500. Throws DependencyError('commands'). */
  touch(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
  readonly recordEnrichments: RecordEnrichments;
}

export function createCommandSender({
  urls,
  token,
  timeoutMs = TIMEOUT_MS,
}: {
  /** Of every instance, such as `http://127.0.0.1:8011`; at least one. */
  readonly urls: readonly string[];
  /** `INTERNAL_API_TOKEN`; without one the command API refuses, and says so. */
  readonly token: string | null;
  readonly timeoutMs?: number;
}): CommandSender {
  const instances = urls.map((url) => ({
    url,
    client: createClient({
      baseUrl: url,
      token: null,
      userAgent: 'palimpsest',
      timeoutMs,
      retryDelaysMs: [],
      ...(token === null ? {} : { internalToken: token }),
    }),
  }));
  /** The one that answered last comes first, so that a dead one costs one call. */
  let first = 0;

  async function send<N extends InternalOperation>(name: N, call: CallOf<N>): Promise<unknown> {
    const problems: string[] = [];
    const start = first;
    for (let step = 0; step < instances.length; step += 1) {
      const at = (start + step) % instances.length;
      const instance = instances[at];
      if (instance === undefined) break;
      const answer = await instance.client.call(name, call);
      if (answer.kind === 'answered') {
        first = at;
        return answer.body;
      }
      problems.push(
        `${answer.status === null ? '' : `The command API at ${instance.url} answered ${answer.status}: `}${answer.message}`,
      );
      if (answer.kind === 'refused') break;
    }
    throw new DependencyError('commands', problems.join('; '));
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
