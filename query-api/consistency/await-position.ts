/**
 * Waits until the index and the graph show a position of the journal, as long as they may still reach it in time, and
 * reports the result.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MEMORY_EVENTS } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { CheckMark } from '../../shared/integrity/journal-mark/check-mark.js';
import { beyondHeadError } from '../../shared/journal/beyond-head-error.js';
import { raceDeadline } from '../../shared/kernel/concurrency/within-deadline.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { OutboxReader } from '../../shared/ports/outbox.js';
import type { IndexState, IndexStateAt } from './index-state.js';
import type { LocalIndexer, Progress } from './progress.js';

/** The wait between two polls begins with the first value and doubles up to the second. */
const [FIRST_POLL_MS, LONGEST_POLL_MS] = [20, 200];
/** Indexers save their position later than they reach it, by less than this. */
const SAVE_DELAY_MS = 1_000;

export type Consistency = {
  readonly index: boolean;
  readonly graph: boolean;
  readonly waitedMs: number;
  /** False when the first check decided. */
  readonly hasWaited: boolean;
};

/**
 * `reads`: the parts to wait for. The result always includes the index, even if the read does not use it. With `index`
 * no event is the caller's own, so those that the graph or the index could not take do not count.
 */
export type PositionWait = {
  readonly position: number;
  readonly reads: 'graph' | 'index_and_graph' | 'index';
  readonly waitMs: number;
  readonly signal: AbortSignal;
};

/** Throws ValidationError for a position above the head of the journal. */
export type AwaitPosition = (awaited: PositionWait) => Promise<Consistency>;

/** The least time for one look-up in index or graph. */
const LOOK_UP_MS = 500;
/** A read waits for the answers of the journal this much longer than for its position. */
const JOURNAL_ANSWER_MS = 2_000;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'head' | 'ageAfter' | 'read'>;
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones'>;
  /**
   * Present where the graph follows the journal. Where both are one database, the graph shows every committed event.
   */
  readonly outbox?: Pick<OutboxReader, 'unapplied'>;
  readonly progress: Progress;
  readonly indexStateAt: IndexStateAt;
  readonly localIndexer?: LocalIndexer;
  /** Compares the graph with its journal: a graph that was emptied or put back lacks events that were applied to it. */
  readonly checkMark?: CheckMark;
  readonly logger: Logger;
};

export function createAwaitPosition({
  journal,
  graph: graphReader,
  outbox,
  progress,
  indexStateAt,
  localIndexer,
  checkMark,
  logger,
}: Dependencies): AwaitPosition {
  async function check(position: number, { reads, waitMs, passedMs }: WaitLimits): Promise<PositionState> {
    const [{ indexed, isRunning }, unapplied] = await Promise.all([progress(), outbox?.unapplied([position])]);
    const graph = !unapplied?.has(position);
    const lagAfter = async (at: number) => (isRunning ? ((await journal.ageAfter(at)) ?? 0) : null);
    if (reads === 'index' && indexed < position) {
      // The look-up reads all events after the saved position, which are many while an indexer stands still.
      const indexLagMs = await lagAfter(indexed);
      if (indexLagMs === null || indexLagMs - passedMs > waitMs + SAVE_DELAY_MS)
        return { index: 'behind', graph, indexLagMs };
    }
    // An index that hangs answers the look-up only after its own timeout.
    const index = await raceDeadline(indexStateAt({ indexed, position, isOwn: reads !== 'index' }), {
      milliseconds: Math.max(waitMs - passedMs, LOOK_UP_MS),
      onDeadline: (): IndexState => ({ kind: 'behind', missing: position }),
    });
    return { index: index.kind, graph, indexLagMs: index.kind === 'behind' ? await lagAfter(index.missing - 1) : 0 };
  }

  /** A local indexer ends the pause when it reaches the position. */
  function pauseBefore(position: number, milliseconds: number): Promise<void> {
    return localIndexer !== undefined && localIndexer.position() < position
      ? localIndexer.reached(position, milliseconds)
      : pause(milliseconds);
  }

  async function requireCommitted(position: number): Promise<void> {
    const head = await journal.head();
    if (position > head)
      throw beyondHeadError('consistent_with', {
        position,
        head,
        advice: 'take it from Memory-Position of a write to this service',
      });
  }

  async function wait({ position, signal, ...limits }: PositionWait): Promise<PositionState & { hasWaited: boolean }> {
    const startedAt = performance.now();
    if (limits.reads !== 'index') await requireCommitted(position);
    for (let delay = FIRST_POLL_MS, hasWaited = false; ; delay = Math.min(delay * 2, LONGEST_POLL_MS)) {
      const found = await check(position, { ...limits, passedMs: performance.now() - startedAt });
      const passedMs = performance.now() - startedAt;
      if (signal.aborted || !mayArrive(found, { ...limits, passedMs })) return { ...found, hasWaited };
      await pauseBefore(position, Math.min(delay, limits.waitMs - passedMs));
      hasWaited = true;
    }
  }

  /**
   * Every event that was applied is at or below the mark, whatever else waits for the graph. Infinity where nothing is
   * compared, -1 for a graph that lacks events.
   */
  async function markPosition(): Promise<number> {
    const finding = await checkMark?.().catch((error: unknown) => {
      if (error instanceof DependencyError) return null;
      throw error;
    });
    if (finding === undefined || finding?.kind === 'unmarked') return Infinity;
    return finding?.kind === 'same' ? finding.position : -1;
  }

  function compareGraph(waitMs: number): Promise<number> {
    return raceDeadline(markPosition(), { milliseconds: Math.max(waitMs, LOOK_UP_MS), onDeadline: () => -1 });
  }

  /**
   * False for a graph that went back to before the event at this position, after which other processes moved its mark:
   * only the process that applied the event knows that the graph had it, and it compares once a second.
   */
  async function hasEventAt(position: number): Promise<boolean> {
    try {
      const [event] = await journal.read({ after: position - 1, through: position, types: MEMORY_EVENTS, limit: 1 });
      if (event === undefined) return true;
      const id = event.subject as MemoryId;
      const [memory] = await graphReader.memories([id]);
      const version = memory?.version ?? (await graphReader.tombstones([id])).get(id)?.version ?? 0;
      return version >= event.version;
    } catch (error) {
      if (error instanceof DependencyError) return false;
      throw error;
    }
  }

  return async (awaited) => {
    const startedAt = performance.now();
    const waitedMs = (): number => performance.now() - startedAt;
    const comparison = compareGraph(awaited.waitMs);
    comparison.catch(() => undefined /* awaited below */);
    /** The first comparison began with the wait, so its mark may be older than the event. */
    async function isGraphWhole(): Promise<boolean> {
      const mark = await comparison;
      if (mark < 0) return false;
      if (mark < awaited.position && (await compareGraph(LOOK_UP_MS)) < awaited.position) return false;
      if (checkMark === undefined || awaited.reads === 'index') return true;
      return raceDeadline(hasEventAt(awaited.position), { milliseconds: LOOK_UP_MS, onDeadline: () => false });
    }
    try {
      const { index, graph, hasWaited } = await raceDeadline(wait(awaited), {
        milliseconds: awaited.waitMs + JOURNAL_ANSWER_MS,
        onDeadline: throwSlow,
      });
      return { index: index === 'indexed', graph: graph && (await isGraphWhole()), waitedMs: waitedMs(), hasWaited };
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      // Without the journal the read continues, and the position that it shows is unknown.
      logger.warn({ err: error }, 'progress of index and graph unknown, read does not wait for its position');
      return { index: false, graph: false, waitedMs: waitedMs(), hasWaited: false };
    }
  };
}

function throwSlow(): never {
  throw new DependencyError('journal', 'The journal did not answer during the wait: see journal in GET /health');
}

type PositionState = Pick<Consistency, 'graph'> & {
  readonly index: IndexState['kind'];
  /** The age of the first event that the index lacks; null while no indexer runs. */
  readonly indexLagMs: number | null;
};
type WaitLimits = Pick<PositionWait, 'reads' | 'waitMs'> & { readonly passedMs: number };

/**
 * True when a missing part may still arrive in time. An indexer that was further behind at the start than the wait is
 * long cannot arrive.
 */
function mayArrive({ index, graph, indexLagMs }: PositionState, { reads, waitMs, passedMs }: WaitLimits): boolean {
  if (passedMs >= waitMs) return false;
  const isIndexComing =
    reads !== 'graph' && index === 'behind' && indexLagMs !== null && indexLagMs - passedMs <= waitMs;
  return isIndexComing || (reads !== 'index' && !graph);
}
