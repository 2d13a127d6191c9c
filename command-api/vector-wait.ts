/**
 * Waits until the vector index shows what was committed, where the contract promises a vector with the answer. The command side writes
 * no index: it only looks, with one poll per process for all who wait, and gives up early where looking is pointless.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { MemoryId } from '../shared/contract/memory.js';
import type { DeadLetters } from '../shared/journal/journal.js';
import { VECTOR_INDEXER } from '../shared/contract/projector-names.js';
import { DependencyError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { VectorIndexReader } from '../shared/vectors/vectors.js';
import type { IndexerWatch } from './create-indexer-watch.js';

/**
 * `stored`: the index has it. `failed`: a dead letter. `unavailable`: the index does not answer. `queued`: none of these yet.
 * `unconfigured`: there is no index.
 */
export type VectorState = 'stored' | 'failed' | 'unavailable' | 'queued' | 'unconfigured';

export type VectorWait = {
  /** What becomes of a vector that nobody waits for. */
  readonly unawaited: Extract<VectorState, 'queued' | 'unconfigured'>;
  /**
   * One state for each memory event. Waits at most `waitMs`, and not at all when the indexer does not run or is behind that much. An
   * erased event has no vector to come: it counts as `stored`, as the first answer to its request had it.
   */
  readonly states: (
    events: readonly (Pick<RecordedEvent, 'subject' | 'version'> & Partial<Pick<RecordedEvent, 'data'>>)[],
    limits: { readonly waitMs: number; readonly signal: AbortSignal },
  ) => Promise<readonly VectorState[]>;
};

/** Where no vector index is configured. */
export const noVectorWait: VectorWait = {
  unawaited: 'unconfigured',
  states: (events) => Promise.resolve(events.map(() => 'unconfigured')),
};

type Waiter = {
  /** Versions that have no state yet. */
  readonly open: Map<MemoryId, number>;
  readonly states: Map<MemoryId, VectorState>;
  readonly finish: () => void;
};

const POLL_FIRST_MS = 10;
const POLL_LAST_MS = 200;
/** Ids in one question to the index. */
const LOOK_AT_ONCE = 1_000;

type Sources = {
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  readonly logger: Logger;
};

export function createVectorWait(deps: Sources & { readonly indexer: IndexerWatch }): VectorWait {
  const waiters = new Set<Waiter>();
  let isPolling = false;

  async function poll(): Promise<void> {
    isPolling = true;
    let delay = POLL_FIRST_MS;
    try {
      while (waiters.size > 0) {
        const settled = await look([...waiters], deps);
        delay = settled > 0 ? POLL_FIRST_MS : Math.min(delay * 2, POLL_LAST_MS);
        if (waiters.size > 0)
          await new Promise((resolve) => {
            setTimeout(resolve, delay);
          });
      }
    } finally {
      isPolling = false;
    }
  }

  function wait(waiter: Omit<Waiter, 'finish'>, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiter = {
        ...waiter,
        finish: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', waiting.finish);
          waiters.delete(waiting);
          resolve();
        },
      };
      const timer = setTimeout(waiting.finish, waitMs);
      signal.addEventListener('abort', waiting.finish);
      waiters.add(waiting);
      if (!isPolling) void poll();
    });
  }

  return {
    unawaited: 'queued',
    states: async (events, { waitMs, signal }) => {
      const [erased, kept] = [events.filter(({ data }) => data === null), events.filter(({ data }) => data !== null)];
      const open = new Map(kept.map(({ subject, version }) => [subject as MemoryId, version]));
      const states = new Map<MemoryId, VectorState>(erased.map(({ subject }) => [subject as MemoryId, 'stored']));
      const lag = await deps.indexer();
      const isPointless = lag === null || lag > waitMs || signal.aborted;
      if (open.size > 0 && isPointless) await look([{ open, states, finish: () => undefined }], deps);
      else if (open.size > 0) await wait({ open, states }, waitMs, signal);
      return events.map(({ subject }) => states.get(subject as MemoryId) ?? 'queued');
    },
  };
}

/** One look at the index for everybody. Returns how many points have their answer now. */
async function look(waiters: readonly Waiter[], deps: Sources): Promise<number> {
  try {
    const ids = [...new Set(waiters.flatMap(({ open }) => [...open.keys()]))];
    const versions = new Map<MemoryId, number>();
    for (let from = 0; from < ids.length; from += LOOK_AT_ONCE) {
      for (const [id, version] of await deps.vectors.versions(ids.slice(from, from + LOOK_AT_ONCE)))
        versions.set(id, version);
    }
    const stored = close(waiters, 'stored', (id, version) => (versions.get(id) ?? 0) >= version);
    const open = waiters.flatMap((waiter) => [...waiter.open].map(([subject, version]) => ({ subject, version })));
    const dead = open.length > 0 ? await deps.deadLetters.find(VECTOR_INDEXER, open) : new Set<string>();
    return stored + close(waiters, 'failed', (id) => dead.has(id));
  } catch (error) {
    if (!(error instanceof DependencyError))
      deps.logger.error({ err: error }, 'Looking for vectors failed: answers do not wait for them');
    else deps.logger.warn({ err: error }, 'The vector index does not answer: answers do not wait for it');
    return close(waiters, 'unavailable', () => true);
  }
}

function close(
  waiters: readonly Waiter[],
  state: VectorState,
  isTrue: (id: MemoryId, version: number) => boolean,
): number {
  let closed = 0;
  for (const { open, states, finish } of waiters) {
    for (const [id, version] of open) {
      if (!isTrue(id, version)) continue;
      states.set(id, state);
      open.delete(id);
      closed += 1;
    }
    if (open.size === 0) finish();
  }
  return closed;
}
