/** Waits until the index and the graph show a position of the journal, as long as they may still reach it in time, and reports the result. */
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalReader } from '../../shared/journal/journal.js';
import type { OutboxReader } from '../../shared/journal/outbox.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { beyondHeadError } from '../feed/beyond-head-error.js';
import type { IndexState, IndexStateAt } from './index-state.js';
import type { Progress } from './progress.js';

/** The wait between two polls begins with the first value and doubles up to the second. */
const [FIRST_POLL_MS, LONGEST_POLL_MS] = [20, 200];

/** `graph`: the graph has the event at the position, and all earlier events whose writes were answered. */
export type Consistency = { readonly index: boolean; readonly graph: boolean; readonly waitedMs: number };

/** `reads`: the parts to wait for. The result always includes the index, even if the read does not use it. */
export type PositionWait = {
  readonly position: number;
  readonly reads: 'graph' | 'index_and_graph';
  readonly signal: AbortSignal;
};

/** Throws ValidationError for a position above the head of the journal. */
export type AwaitPosition = (awaited: PositionWait) => Promise<Consistency>;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'head' | 'ageAfter'>;
  /** Present where the graph follows the journal. Where both are one database, the graph shows every committed event. */
  readonly outbox?: Pick<OutboxReader, 'unapplied'>;
  readonly progress: Progress;
  readonly indexStateAt: IndexStateAt;
  readonly waitMs: number;
  readonly logger: Logger;
};

export function createAwaitPosition({
  journal,
  outbox,
  progress,
  indexStateAt,
  waitMs,
  logger,
}: Dependencies): AwaitPosition {
  async function check(position: number): Promise<PositionState> {
    const [{ indexed, isRunning }, unapplied] = await Promise.all([progress(), outbox?.unapplied([position])]);
    const index = await indexStateAt(indexed, position);
    const lagMs = index.kind === 'behind' ? await journal.ageAfter(index.missing - 1) : 0;
    return { index: index.kind, graph: !unapplied?.has(position), indexLagMs: isRunning ? (lagMs ?? 0) : null };
  }

  async function wait({ position, reads, signal }: PositionWait): Promise<PositionState> {
    const deadline = performance.now() + waitMs;
    const head = await journal.head();
    if (position > head)
      throw beyondHeadError('consistent_with', {
        position,
        head,
        advice: 'take it from Memory-Position of a write to this service',
      });
    for (let delay = FIRST_POLL_MS; ; delay = Math.min(delay * 2, LONGEST_POLL_MS)) {
      const found = await check(position);
      const leftMs = deadline - performance.now();
      if (signal.aborted || !mayArrive(found, { reads, leftMs })) return found;
      await pause(Math.min(delay, leftMs));
    }
  }

  return async (awaited) => {
    const startedAt = performance.now();
    try {
      const { index, graph } = await wait(awaited);
      return { index: index === 'indexed', graph, waitedMs: performance.now() - startedAt };
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      // Without the journal the read continues, and the position that it shows is unknown.
      logger.warn({ err: error }, 'progress of index and graph unknown, read does not wait for its position');
      return { index: false, graph: false, waitedMs: performance.now() - startedAt };
    }
  };
}

type PositionState = Pick<Consistency, 'graph'> & {
  readonly index: IndexState['kind'];
  /** The age of the first event that the index lacks; null while no indexer runs. */
  readonly indexLagMs: number | null;
};
type WaitLimits = Pick<PositionWait, 'reads'> & { readonly leftMs: number };

/** True when a missing part may still arrive in the time that is left. An indexer with a larger lag cannot reach the position in time. */
function mayArrive({ index, graph, indexLagMs }: PositionState, { reads, leftMs }: WaitLimits): boolean {
  if (leftMs <= 0) return false;
  const isIndexComing =
    reads === 'index_and_graph' && index === 'behind' && indexLagMs !== null && indexLagMs <= leftMs;
  return isIndexComing || !graph;
}
