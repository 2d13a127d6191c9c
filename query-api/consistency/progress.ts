/**
 * The position that the vector index has reached, for all reads that wait for a position. All waiting reads share one
 * query at a time; without a waiting read there is no query.
 */
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { fleetOf } from '../../shared/journal/projector-fleet.js';
import type { ProjectorStates } from '../../shared/ports/journal.js';

export type IndexProgress = {
  /**
   * The position of the slowest indexer. The index contains every event up to it, apart from events that the graph
   * failed to apply.
   */
  readonly indexed: number;
  /** At least one indexer runs. */
  readonly isRunning: boolean;
};

/** The result of a query that is running or starts now. */
export type Progress = () => Promise<IndexProgress>;

/** The one indexer of the journal, where it runs in this process: its position is known without a query. */
export type LocalIndexer = {
  /** The last committed position of the journal. */
  readonly head: () => Promise<number>;
  /** The index contains every event up to it. */
  readonly position: () => number;
  /** Resolves when the position is reached, or after this time. */
  readonly reached: (position: number, milliseconds: number) => Promise<void>;
};

export function createProgress({
  projectorStates,
  localIndexer,
}: {
  readonly projectorStates: Pick<ProjectorStates, 'list'>;
  readonly localIndexer?: Pick<LocalIndexer, 'position'>;
}): Progress {
  let running: Promise<IndexProgress> | undefined;

  async function read(): Promise<IndexProgress> {
    const { isRunning, furthestBehind } = fleetOf(VECTOR_INDEXER, await projectorStates.list());
    return { indexed: localIndexer?.position() ?? furthestBehind?.position ?? 0, isRunning };
  }

  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}
