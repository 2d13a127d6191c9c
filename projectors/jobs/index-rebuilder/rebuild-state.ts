/**
 * How far a rebuild of the vector index is: where it continues after a crash, and what the caller of GET
 * /admin/jobs/:id sees.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { RuleError } from '../../../shared/kernel/errors.js';

/**
 * `fill` writes the states of the graph, `follow` the events since its beginning. `prove` compares graph and index.
 * `activate` switches. `settle` follows until every process uses the new index.
 */
export type RebuildStep = 'fill' | 'follow' | 'prove' | 'activate' | 'settle' | 'done';

export type RebuildCheckpoint = {
  readonly step: RebuildStep;
  /** The number of the space. */
  readonly space: number;
  /** The id of the last memory that `fill` has written; '' before the first one. */
  readonly after: MemoryId | '';
  /** Every event up to here is in the index once `fill` has ended. */
  readonly position: number;
  /** The former previous space, which is dropped after the switch. */
  readonly former: number | null;
  /** Memories that have no point, because the embedder refuses their content. At most REFUSED_LIMIT. */
  readonly refused: readonly MemoryId[];
};

/** Differences between graph and index that were left. */
export type Parity = {
  readonly memories: number;
  readonly points: number;
  readonly missing: number;
  readonly orphaned: number;
  readonly stale: number;
};

export type RebuildProgress = {
  readonly step: RebuildStep;
  readonly space: number;
  readonly model: string;
  readonly vector_size: number;
  /** Memories in the graph at the beginning; 0 in a rollback, which has nothing to fill. */
  readonly memories: number;
  readonly filled: number;
  /** Events of memories that were written after them. */
  readonly followed: number;
  /** Points that differed from the graph, and were written again. */
  readonly repaired: number;
  /** Memories without a point, because the embedder refuses their content, and the first of them. */
  readonly failed: number;
  readonly failed_ids: readonly MemoryId[];
  /** Null before the first comparison. */
  readonly parity: Parity | null;
};

export type RebuildState = { readonly checkpoint: RebuildCheckpoint; readonly progress: RebuildProgress };

/** More memories without a point fail the job: the embedder is unusable. */
export const REFUSED_LIMIT = 100;
const FAILED_SAMPLE = 10;

export function atStep(state: RebuildState, step: RebuildStep): RebuildState {
  return { checkpoint: { ...state.checkpoint, step }, progress: { ...state.progress, step } };
}

/** Adds to the counts of the progress. */
export function counted(
  { checkpoint, progress }: RebuildState,
  added: Partial<Record<'filled' | 'followed' | 'repaired', number>>,
): RebuildState {
  return {
    checkpoint,
    progress: {
      ...progress,
      filled: progress.filled + (added.filled ?? 0),
      followed: progress.followed + (added.followed ?? 0),
      repaired: progress.repaired + (added.repaired ?? 0),
    },
  };
}

export function withRefused({ checkpoint, progress }: RebuildState, refused: readonly MemoryId[]): RebuildState {
  if (refused.length === 0) return { checkpoint, progress };
  const all = [...new Set([...checkpoint.refused, ...refused])];
  if (all.length > REFUSED_LIMIT)
    throw new RuleError(
      `${progress.model} refuses the contents of more than ${REFUSED_LIMIT} memories: choose another model. The log names some of them`,
    );
  return {
    checkpoint: { ...checkpoint, refused: all },
    progress: { ...progress, failed: all.length, failed_ids: all.slice(0, FAILED_SAMPLE) },
  };
}
