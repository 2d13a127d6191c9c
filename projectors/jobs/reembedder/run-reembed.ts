/**
 * Runs the job `reembed`: embeds the contents of memories again, the newest first, and has the vector indexer replace
 * their cached vectors and their points. A batch that the provider refuses counts as failed, and the job goes on. It
 * continues at the last page after a crash.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { REEMBED_SAMPLE } from '../../../shared/contract/maintenance/vector-index.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import type { RunJob } from '../../../shared/jobs/run-jobs.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import type { GraphReader, LoadedMemory } from '../../../shared/ports/graph.js';
import type { GraphScan, NewestCursor } from '../../../shared/ports/graph-scan.js';
import type { Job } from '../../../shared/ports/jobs.js';
import type { ProjectorStates } from '../../../shared/ports/journal.js';
import type { EmbedBatch, Embedded } from './embed-batch.js';

/** Between two batches of which the first one failed, so that a provider recovers from a short outage. */
const PAUSE_MS = 2_000;
/**
 * Batches in a row that fail before the job stops: without an answer of the provider the other memories would fail,
 * too.
 */
const FAILURES_IN_A_ROW = 10;
/** How often the job checks whether the vector indexer is still paused. */
const PAUSED_POLL_MS = 1_000;

/** As the reply of POST /admin/reembed names its parts. */
type Progress = {
  readonly processed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  readonly failed_ids: readonly MemoryId[];
};
type Checkpoint = { readonly before: NewestCursor; readonly failuresInARow: number };

export function createRunReembed({
  graph,
  graphScan,
  states,
  embedBatch,
  pauseMs = PAUSE_MS,
}: {
  readonly graph: Pick<GraphReader, 'counts'>;
  readonly graphScan: Pick<GraphScan, 'newest'>;
  readonly states: Pick<ProjectorStates, 'paused'>;
  readonly embedBatch: EmbedBatch;
  readonly pauseMs?: number;
}): RunJob {
  async function begin(limit: number): Promise<Progress> {
    const { memories } = await graph.counts({ excludedTypes: [] });
    return { processed: 0, failed: 0, skipped: 0, total: Math.min(limit, memories), failed_ids: [] };
  }

  async function waitWhilePaused(signal: AbortSignal): Promise<void> {
    while ((await states.paused()).has(VECTOR_INDEXER)) await pause(PAUSED_POLL_MS, undefined, { signal });
  }

  return async (job, { signal, save }) => {
    const { batchSize, limit, force } = requestOf(job);
    const resumed = job.checkpoint as Checkpoint | null; // as this function saved it
    let progress = resumed === null ? await begin(limit) : (job.progress as Progress);
    let before = resumed?.before ?? null;
    let failuresInARow = resumed?.failuresInARow ?? 0;
    for (;;) {
      signal.throwIfAborted();
      await waitWhilePaused(signal);
      const left = limit - progress.processed - progress.failed - progress.skipped;
      const page = left <= 0 ? [] : await graphScan.newest({ before, limit: Math.min(batchSize, left) });
      const last = page.at(-1)?.memory;
      if (last === undefined) return { ...progress, total: progress.processed + progress.failed + progress.skipped };
      const due = page.filter((loaded) => hasNewVector(loaded, force));
      const embedded = await embedBatch(due, signal);
      progress = added(progress, { seen: page.length, due: due.length, embedded });
      if (due.length > 0) failuresInARow = embedded.outage === null ? 0 : failuresInARow + 1;
      before = { timestamp: last.timestamp, id: last.id };
      await save({ progress, checkpoint: { before, failuresInARow } satisfies Checkpoint });
      if (embedded.outage === null) continue;
      if (failuresInARow >= FAILURES_IN_A_ROW)
        throw new RuleError(`${failuresInARow} batches failed in a row: ${embedded.outage}`);
      await pause(pauseMs, undefined, { signal });
    }
  };
}

/** As `POST /admin/reembed` validated it. */
type Request = { readonly batch_size: number; readonly limit: number | null; readonly force: boolean };

function requestOf({ request }: Job) {
  const { batch_size: batchSize, limit, force } = request as Request;
  return { batchSize, limit: limit ?? Infinity, force };
}

function hasNewVector({ memory, vectorRef }: LoadedMemory, force: boolean): boolean {
  return memory.content.trim() !== '' && (force || vectorRef === null);
}

function added(
  before: Progress,
  { seen, due, embedded }: { readonly seen: number; readonly due: number; readonly embedded: Embedded },
): Progress {
  const failed = embedded.failed.length;
  return {
    ...before,
    processed: before.processed + due - failed,
    failed: before.failed + failed,
    skipped: before.skipped + seen - due,
    failed_ids: [...before.failed_ids, ...embedded.failed].slice(0, REEMBED_SAMPLE),
  };
}
