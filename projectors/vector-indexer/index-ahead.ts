/**
 * Indexes memories that were written alone ahead of a backlog. While the indexer embeds many memories, this reads
 * later events of the journal. Points and their removals compare versions, so their order does not matter, and the
 * indexer handles the same events again in order.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { withoutUnapplied } from '../../shared/integrity/replay/without-unapplied.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { EmbeddingCache } from '../../shared/ports/embedder.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { OutboxReader } from '../../shared/ports/outbox.js';

/** Events in one poll, and the time between two. */
const PAGE_EVENTS = 128;
const LOOK_MS = 100;

export type AheadPorts = {
  readonly journal: Pick<JournalReader, 'read'>;
  /** Present where the graph follows the journal. */
  readonly outbox?: Pick<OutboxReader, 'unapplied'> | undefined;
  readonly logger: Logger;
};

/** Runs `backlog`, and meanwhile passes later events to `index`. */
export type IndexAhead = (work: {
  /** The position of the last event of the backlog. */
  readonly after: number;
  readonly index: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly backlog: () => Promise<void>;
}) => Promise<void>;

export function createIndexAhead({
  journal,
  outbox,
  logger,
  cache,
}: AheadPorts & { readonly cache: Pick<EmbeddingCache, 'release'> }): IndexAhead {
  let seen = 0;

  async function poll(after: number, index: (events: readonly RecordedEvent[]) => Promise<void>): Promise<void> {
    const events = await journal.read({
      after: Math.max(seen, after),
      limit: PAGE_EVENTS,
      types: ['memory.stored', 'memory.updated'],
    });
    seen = events.at(-1)?.position ?? seen;
    const alone = await withoutUnapplied(writtenAlone(events), outbox?.unapplied);
    if (alone.length === 0) return;
    await index(alone);
    await releaseDeleted(alone);
  }

  /** Another indexer may have handled a deletion before the vector of its memory was in the cache. */
  async function releaseDeleted(events: readonly RecordedEvent[]): Promise<void> {
    for (const { position: after, subject, version: afterVersion } of events) {
      const deletions = await journal.read({ after, subject, afterVersion, types: ['memory.deleted'], limit: 1 });
      if (deletions.length > 0) await cache.release([subject as MemoryId]); // the subject of a memory event is its id
    }
  }

  return async ({ after, index, backlog }) => {
    const ended = new AbortController();
    const reading = (async () => {
      while (!ended.signal.aborted) {
        await poll(after, index).catch((err: unknown) => {
          logger.warn({ err }, 'memories could not be indexed ahead of a backlog, and wait for their turn');
        });
        await pause(LOOK_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    })();
    try {
      await backlog();
    } finally {
      ended.abort();
      await reading;
    }
  };
}

/** Events that share no request with others of the page, in contrast to those of a batch or an import. */
function writtenAlone(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const requests = new Map<string, number>();
  for (const { correlationId } of events) requests.set(correlationId, (requests.get(correlationId) ?? 0) + 1);
  return events.filter(({ correlationId }) => requests.get(correlationId) === 1);
}
