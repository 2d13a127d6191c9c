/**
 * Lets one of our processes write through internal operations of the command API, which have their own token. If an
 * instance does not answer, the sender calls the next one: each command names the version it expects, or may run twice.
 * If all fail, the caller retries.
 */
import type { ConsolidationOutcome, RecordConsolidation } from '../contract/consolidation/commands.js';
import type { EnrichmentOutcome, RecordEnrichments } from '../contract/enrichment.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';
import type { InternalOperation } from '../http/handler.js';
import { DependencyError } from '../kernel/errors.js';
import { currentTraceparent } from '../kernel/tracing/tracing.js';
import type { CallOf } from './client.js';
import { createClient } from './http-client.js';

const TIMEOUT_MS = 10_000;

export interface CommandSender {
  /**
   * Sets `last_accessed = max(old, at)` for the ids that exist; at most 500 ids. Throws DependencyError('commands').
   */
  recordAccess(ids: readonly MemoryId[], at: Timestamp): Promise<void>;
  readonly recordEnrichments: RecordEnrichments;
  readonly recordConsolidation: RecordConsolidation;
}

export function createCommandSender({
  urls,
  token,
  timeoutMs = TIMEOUT_MS,
}: {
  /** The URL of every instance, for example `http://127.0.0.1:8011`; at least one. */
  readonly urls: readonly string[];
  /** `INTERNAL_API_TOKEN`; without it the command API rejects every call with a message that says so. */
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
      traceparent: currentTraceparent,
      ...(token === null ? {} : { internalToken: token }),
    }),
  }));
  /** The index of the instance that answered last. Calls start there, so that a dead instance costs only one call. */
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
    recordAccess: async (ids, at) => void (await send('recordAccess', { body: { ids: [...ids], at } })),
    recordEnrichments: async (commands) => {
      const body = await send('recordEnrichments', { body: { commands: [...commands] } });
      // The command API sends this body; its version is the same or the next one.
      return (body as { readonly outcomes: readonly EnrichmentOutcome[] }).outcomes;
    },
    recordConsolidation: async (commands) => {
      const body = await send('recordConsolidation', { body: { commands: [...commands] } });
      return (body as { readonly outcomes: readonly ConsolidationOutcome[] }).outcomes; // as above
    },
  };
}
