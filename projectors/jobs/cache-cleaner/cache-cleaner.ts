/**
 * Removes vectors from the embedding cache that nothing has needed for a time: of earlier contents of memories, and of
 * models that make no index any more. A vector of a caller stays as long as its memory, because it cannot be made
 * again.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { CACHE_CLEANER } from '../../../shared/contract/projector-names.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import { embeddingRef, type EmbeddingUse, type EmbeddingUses, isSupplied } from '../../../shared/ports/embedder.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { ProjectorStates } from '../../../shared/ports/journal.js';
import type { VectorSpaces } from '../../../shared/ports/vector-spaces.js';
import { type Leader, type SaveState, startLeader } from '../lead.js';

const DAY_MS = 24 * 3_600_000;
/** How often the leader checks whether a pass is due. */
const POLL_MS = 60_000;
/** Uses in one page, and memories whose contents are read at once. */
const PAGE_USES = 2_000;
const PAGE_MEMORIES = 200;
/** Pause after each page, in percent of its time. */
const PAUSE_PERCENT = 100;

export type CleanerPorts = {
  readonly embeddingUses: EmbeddingUses;
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly spaces: Pick<VectorSpaces, 'list'>;
};

/** Uses that one pass found. The unused ones wait for the end of their time. */
export type CleanedCache = { readonly used: number; readonly unused: number; readonly removed: number };

/** Passes once a day, in the process that leads. */
export function startCacheCleaner({
  lock,
  states,
  retentionMs,
  clock,
  logger: parent,
  ...ports
}: CleanerPorts &
  Pick<Parameters<typeof startLeader>[0], 'lock' | 'logger'> & {
    readonly states: Pick<ProjectorStates, 'save' | 'list'>;
    /** A vector is removed after nothing has needed it for this time. */
    readonly retentionMs: number;
    readonly clock: Clock;
  }): Leader {
  const logger = parent.child({ projector: CACHE_CLEANER });

  async function step(save: SaveState, signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const last = (await states.list()).find(({ name }) => name === CACHE_CLEANER)?.detail?.['checked_at'];
    if (typeof last === 'string' && Math.abs(now.getTime() - Date.parse(last)) < DAY_MS) return;
    const cleaned = await cleanCache(ports, { now: now.getTime(), retentionMs, signal });
    if (cleaned.removed > 0) logger.info(cleaned, 'unused vectors removed from the embedding cache');
    await save({ checked_at: formatTimestamp(now), ...cleaned });
  }

  return startLeader({
    name: CACHE_CLEANER,
    step,
    failure: 'cleaning the embedding cache failed',
    pollMs: POLL_MS,
    failedMaximumMs: POLL_MS,
    lock,
    states,
    logger,
  });
}

/** One pass over all uses. Throws when the signal is aborted. */
export async function cleanCache(
  { embeddingUses, graph, spaces }: CleanerPorts,
  { now, retentionMs, signal }: { readonly now: number; readonly retentionMs: number; readonly signal: AbortSignal },
): Promise<CleanedCache> {
  const total = { used: 0, unused: 0, removed: 0 };
  const models = (await spaces.list()).filter(({ state }) => state !== 'previous').map(({ model }) => model);

  async function clean(page: readonly EmbeddingUse[]): Promise<void> {
    const unneeded = models.length === 0 ? new Set() : await findUnneeded(questionable(page));
    const isExpired = ({ unusedSince }: EmbeddingUse): boolean =>
      unusedSince !== null && now - unusedSince >= retentionMs;
    const unused = page.filter((use) => unneeded.has(use));
    const expired = unused.filter(isExpired);
    await embeddingUses.mark(
      unused.filter(({ unusedSince }) => unusedSince === null),
      now,
    );
    await embeddingUses.mark(
      page.filter((use) => use.unusedSince !== null && !unneeded.has(use)),
      null,
    );
    await embeddingUses.remove(expired);
    total.used += page.length - unused.length;
    total.unused += unused.length - expired.length;
    total.removed += expired.length;
  }

  /** A use without a memory in the graph stays: an emptied graph must not empty the cache. */
  async function findUnneeded(uses: readonly EmbeddingUse[]): Promise<ReadonlySet<EmbeddingUse>> {
    const ids = [...new Set(uses.map(({ memoryId }) => memoryId))];
    const needed = new Map<MemoryId, readonly string[]>();
    for (let start = 0; start < ids.length; start += PAGE_MEMORIES)
      for (const { memory } of await graph.memories(ids.slice(start, start + PAGE_MEMORIES)))
        needed.set(
          memory.id,
          models.map((model) => embeddingRef(model, memory.content)),
        );
    return new Set(uses.filter(({ memoryId, ref }) => needed.get(memoryId)?.includes(ref) === false));
  }

  for (let after: EmbeddingUse | null = null, isLast = false; !isLast;) {
    await throttled({ pausePercent: PAUSE_PERCENT, signal }, async () => {
      signal.throwIfAborted();
      const page: readonly EmbeddingUse[] = await embeddingUses.list({ after, limit: PAGE_USES });
      await clean(page);
      after = page.at(-1) ?? null;
      isLast = page.length < PAGE_USES;
    });
  }
  return total;
}

/**
 * The only use of a memory is of its present content, so its memory need not be read. The uses of a memory follow each
 * other; those of the first and the last one of a page may be on two pages.
 */
function questionable(page: readonly EmbeddingUse[]): readonly EmbeddingUse[] {
  const isAlone = ({ memoryId }: EmbeddingUse, at: number): boolean =>
    at > 0 && page[at - 1]?.memoryId !== memoryId && at < page.length - 1 && page[at + 1]?.memoryId !== memoryId;
  return page.filter((use, at) => !isSupplied(use.ref) && (use.unusedSince !== null || !isAlone(use, at)));
}
