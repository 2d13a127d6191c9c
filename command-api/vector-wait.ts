/**
 * Waits until the vector index has the committed memories, where the contract promises a vector with the answer. One
 * poll of this process reads the index for all waiting requests, which do not wait where waiting is pointless.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { MemoryId } from '../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../shared/contract/projector-names.js';
import { fleetOf, lagAtHeartbeat } from '../shared/journal/projector-fleet.js';
import type { Pace } from '../shared/kernel/concurrency/backoff.js';
import { createLoop, type Loop } from '../shared/kernel/concurrency/loop.js';
import { DependencyError, PalimpsestError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import { withoutSpan } from '../shared/kernel/tracing/tracing.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../shared/ports/journal.js';
import type { VectorIndexReader } from '../shared/ports/vectors.js';

/** `failed`: it is a dead letter. `unavailable`: the index does not answer. `queued`: none of these yet. */
export type VectorState = 'stored' | 'failed' | 'unavailable' | 'queued' | 'unconfigured';

export type VectorWait = {
  /** The state of a vector that the request does not wait for. */
  readonly withoutWait: Extract<VectorState, 'queued' | 'unconfigured'>;
  /**
   * Returns one state for each memory event. Waits at most `waitMs`; does not wait when the indexer is not running or
   * its lag exceeds `waitMs`. An erased event gets no vector: it counts as `stored`, as in the first answer to its
   * request.
   */
  readonly states: (
    events: readonly (Pick<RecordedEvent, 'subject' | 'version'> & Partial<Pick<RecordedEvent, 'data'>>)[],
    limits: { readonly waitMs: number; readonly signal: AbortSignal },
  ) => Promise<readonly VectorState[]>;
  /** Looks at the index now: for an indexer in the same process, after it has written points. */
  readonly wake: () => void;
};

/** For a process without a vector index. */
export const noVectorWait: VectorWait = {
  withoutWait: 'unconfigured',
  states: (events) => Promise.resolve(events.map(() => 'unconfigured')),
  wake: () => undefined,
};

type Waiter = {
  /** Versions that have no state yet. */
  readonly open: Map<MemoryId, number>;
  readonly states: Map<MemoryId, VectorState>;
  readonly finish: () => void;
};

const POLL_PACE: Pace = { idleMinimumMs: 10, idleMaximumMs: 200, failedMinimumMs: 200, failedMaximumMs: 200 };
/**
 * A look that finds no vector also reads the dead letters; while other memories get their vectors, one in this time
 * does.
 */
const DEAD_LETTERS_MS = 100;
/** Ids in one query to the index. */
const LOOKUP_LIMIT = 1_000;

type Sources = {
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  readonly logger: Logger;
};

export function createVectorWait(deps: Sources & { readonly indexer: IndexerWatch }): VectorWait {
  const waiters = new Set<Waiter>();
  let polling: Loop | null = null;

  /** Polls until the last waiter is finished. The first look is after a pause: no index has a vector at once. */
  async function poll(): Promise<void> {
    const finished = new AbortController();
    let isFirst = true;
    let deadLettersReadAt = performance.now();
    polling = createLoop({
      pace: POLL_PACE,
      onFailure: (err) => deps.logger.error({ err }, 'vector poll failed'),
      step: async () => {
        if (isFirst) {
          isFirst = false;
          return 'idle';
        }
        let settled = waiters.size === 0 ? 0 : await lookUp([...waiters], deps);
        if (waiters.size > 0 && (settled === 0 || performance.now() - deadLettersReadAt >= DEAD_LETTERS_MS)) {
          settled += await lookUpDead([...waiters], deps);
          deadLettersReadAt = performance.now();
        }
        if (waiters.size === 0) {
          // In the same tick as the check: a later waiter must start a new poll.
          polling = null;
          finished.abort();
        }
        return settled > 0 ? 'partial' : 'idle';
      },
    });
    await polling.run(finished.signal);
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
      // The poll serves later waiters too.
      if (polling === null) void withoutSpan(poll);
    });
  }

  return {
    withoutWait: 'queued',
    states: async (events, { waitMs, signal }) => {
      const [erased, kept] = [events.filter(({ data }) => data === null), events.filter(({ data }) => data !== null)];
      const open = new Map(kept.map(({ subject, version }) => [subject as MemoryId, version]));
      const states = new Map<MemoryId, VectorState>(erased.map(({ subject }) => [subject as MemoryId, 'stored']));
      const lag = await deps.indexer();
      const isPointless = lag === null || lag > waitMs || signal.aborted;
      if (open.size > 0 && isPointless) {
        const waiter = { open, states, finish: () => undefined };
        await lookUp([waiter], deps);
        await lookUpDead([waiter], deps);
      } else if (open.size > 0) await wait({ open, states }, waitMs, signal);
      return events.map(({ subject }) => states.get(subject as MemoryId) ?? 'queued');
    },
    wake: () => polling?.wake(),
  };
}

/** Queries the index once for all waiters. Returns how many memories got a state. */
function lookUp(waiters: readonly Waiter[], deps: Sources): Promise<number> {
  return unlessUnavailable(waiters, deps, async () => {
    const ids = [...new Set(waiters.flatMap(({ open }) => [...open.keys()]))];
    const versions = new Map<MemoryId, number>();
    for (let from = 0; from < ids.length; from += LOOKUP_LIMIT) {
      for (const [id, version] of await deps.vectors.versions(ids.slice(from, from + LOOKUP_LIMIT)))
        versions.set(id, version);
    }
    return settle(waiters, 'stored', (id, version) => (versions.get(id) ?? 0) >= version);
  });
}

function lookUpDead(waiters: readonly Waiter[], deps: Sources): Promise<number> {
  return unlessUnavailable(waiters, deps, async () => {
    const open = waiters.flatMap((waiter) => [...waiter.open].map(([subject, version]) => ({ subject, version })));
    const dead = open.length > 0 ? await deps.deadLetters.find(VECTOR_INDEXER, open) : new Set<string>();
    return settle(waiters, 'failed', (id) => dead.has(id));
  });
}

async function unlessUnavailable(
  waiters: readonly Waiter[],
  deps: Sources,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DependencyError))
      deps.logger.error({ err: error }, 'vector lookup failed; answers do not wait for vectors');
    else deps.logger.warn({ err: error }, 'vector index is unavailable; answers do not wait for it');
    return settle(waiters, 'unavailable', () => true);
  }
}

/** Gives the state to all open memories that match, and finishes waiters without open memories. */
function settle(
  waiters: readonly Waiter[],
  state: VectorState,
  matches: (id: MemoryId, version: number) => boolean,
): number {
  let settled = 0;
  for (const { open, states, finish } of waiters) {
    for (const [id, version] of open) {
      if (!matches(id, version)) continue;
      states.set(id, state);
      open.delete(id);
      settled += 1;
    }
    if (open.size === 0) finish();
  }
  return settled;
}

/** How long all requests share one reading. */
const LAG_CACHE_MS = 1_000;

/** Null: no instance of the indexer runs. Otherwise the lag in ms of the last instance at its last heartbeat. */
export type IndexerWatch = () => Promise<number | null>;

export function createIndexerWatch(deps: {
  readonly journal: Pick<JournalReader, 'ageAfter'>;
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly logger: Logger;
}): IndexerWatch {
  let reading: { readonly at: number; readonly lag: Promise<number | null> } | undefined;

  async function lag(): Promise<number | null> {
    const { isRunning, furthestBehind: last } = fleetOf(VECTOR_INDEXER, await deps.states.list());
    return isRunning && last ? lagAtHeartbeat(last, deps.journal) : null;
  }

  return () => {
    const at = performance.now();
    if (!reading || at - reading.at >= LAG_CACHE_MS) {
      const unknown = (error: unknown): null => {
        if (!(error instanceof PalimpsestError)) throw error;
        deps.logger.warn({ err: error }, 'vector indexer state is unavailable; answers do not wait for it');
        return null;
      };
      reading = { at, lag: lag().catch(unknown) };
    }
    return reading.lag;
  };
}
