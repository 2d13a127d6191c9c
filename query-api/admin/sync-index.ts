/** POST /admin/sync: compares the vector index with the graph and has the vector indexer repair what differs. */
import { SYNC_BATCH, SYNC_SAMPLE } from '../../shared/contract/maintenance/vector-index.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handler } from '../../shared/http/handler.js';
import { totalOf } from '../../shared/integrity/drift/drift-counts.js';
import type { DriftKind, Expected } from '../../shared/integrity/drift/drift-kind.js';
import { type Difference, type Drift, type DriftPorts, findDrift } from '../../shared/integrity/drift/find-drift.js';
import { repairInRounds, type RoundsResult } from '../../shared/integrity/drift/repair-in-rounds.js';
import type { CheckMark } from '../../shared/integrity/journal-mark/check-mark.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { ConflictError, DependencyError } from '../../shared/kernel/errors.js';
import type { MaintenanceLock } from '../../shared/ports/maintenance-lock.js';
import type { EventPublisher } from '../../shared/ports/stream.js';

type Answer = ReplyOf<'syncIndex'>;

const RETRY_SECONDS = 10;

export function createSyncIndex({
  lock,
  embedder,
  excludedTypes,
  waitMs,
  checkMark,
  ...ports
}: DriftPorts & {
  readonly lock: MaintenanceLock;
  /** The model may change after the start, so it is read for each request. */
  readonly embedder: { readonly model: string };
  readonly excludedTypes: readonly string[];
  readonly waitMs: number;
  /** Nothing is repaired from a graph that does not belong to the journal, or that lost events. */
  readonly checkMark?: CheckMark;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly clock: Clock;
}): Handler<'syncIndex'> {
  async function sync(batchSize: number, isDryRun: boolean, signal: AbortSignal): Promise<Answer> {
    const finding = await checkMark?.();
    if (finding && 'problem' in finding) throw new DependencyError('journal', finding.problem);
    const { model } = embedder;
    const expected: Expected = { model, excludedTypes };
    const compared = async () => {
      if (isDryRun) return dryRunOf(await findDrift(ports, { ...expected, signal }));
      const result = await repairInRounds(ports, { expected, batchSize, waitMs, signal });
      return totalOf(result.drift.counts) === 0 ? alreadySynced(result.drift) : completeOf(result);
    };
    return compared().finally(() => requireSameModel(model));
  }

  /**
   * A comparison over a switch of the index has compared points with the wrong model, or failed because of the switch.
   */
  function requireSameModel(model: string): void {
    if (embedder.model === model) return;
    throw new ConflictError('The vector index was exchanged during the comparison: try again', RETRY_SECONDS);
  }

  return async ({ body: { batch_size: size, dry_run: isDryRun = false }, context: { signal } }) => {
    const held = await lock.take('sync');
    if (held === null)
      throw new ConflictError(
        'Another comparison of graph and vector index is running: try again later',
        RETRY_SECONDS,
      );
    try {
      const body = await withAnySignal([signal, held.lost], (ended) => sync(batchSizeOf(size), isDryRun, ended));
      return { status: 200, body };
    } catch (error) {
      if (error instanceof DependencyError && error.dependency === 'vectors')
        throw new DependencyError('vectors', 'Qdrant is not available', { cause: error });
      throw error;
    } finally {
      await held.release();
    }
  };
}

function batchSizeOf(given: unknown): number {
  return typeof given === 'number' && Number.isInteger(given) && given > 0
    ? Math.min(given, SYNC_BATCH.maximum)
    : SYNC_BATCH.default;
}

function dryRunOf(drift: Drift): Answer {
  const of = (kind: DriftKind) => drift.differences.filter((difference) => difference.kind === kind);
  return {
    status: 'dry_run',
    ...countsOf(drift, 0),
    missing_count: drift.counts.missing,
    orphaned_count: drift.counts.orphaned,
    stale_count: drift.counts.stale,
    missing_sample: sampleOf(of('missing')),
    orphaned_sample: sampleOf(of('orphaned')),
    stale_sample: sampleOf(of('stale')),
  };
}

function alreadySynced(drift: Drift): Answer {
  return { status: 'already_synced', ...countsOf(drift, 0), synced: 0, orphaned_count: 0, stale_count: 0 };
}

function completeOf({ drift, repaired, failed, failedFirst }: RoundsResult): Answer {
  return {
    status: 'complete',
    ...countsOf(drift, repaired.missing - repaired.orphaned),
    synced: repaired.missing + repaired.stale,
    failed,
    orphaned_count: drift.counts.orphaned,
    stale_count: drift.counts.stale,
    stale_sample: sampleOf(drift.differences.filter(({ kind }) => kind === 'stale')),
    removed: repaired.orphaned,
    ...(failed > 0 && { failed_ids: sampleOf(failedFirst) }),
    ...(failed > SYNC_SAMPLE && { failed_ids_truncated: true }),
  };
}

/** `added`: points that the repair added. */
function countsOf({ memories, points }: Drift, added: number) {
  return { neo4j_count: memories, falkordb_count: memories, qdrant_count: points + added };
}

function sampleOf(differences: readonly Difference[]): string[] {
  return differences.slice(0, SYNC_SAMPLE).map(({ id }) => id);
}
