/**
 * Compares graph and new index, for ids, versions, payloads and models, while writes go on. What still differs after
 * the events of the walk were followed is written again once, and compared again.
 */
import type { DriftKind } from '../../../shared/integrity/drift/drift-kind.js';
import { type Difference, findDrift, remaining } from '../../../shared/integrity/drift/find-drift.js';
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import { findRepair } from '../../vector-indexer/find-repair.js';
import { followEvents } from './follow-events.js';
import type { RebuildRun } from './rebuild-ports.js';
import { counted, type Parity, type RebuildState, withRefused } from './rebuild-state.js';
import { writeStates } from './write-states.js';

/** Memories that are read and written together. */
const REPAIR_GROUP = 200;

/** Returns the state with the parity in its progress. */
export async function proveParity(begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const ports = { ...run, vectors: run.store };
  const expected = { model: run.space.model, excludedTypes: [] };
  const { memories, points, differences, isCut } = await findDrift(ports, {
    ...expected,
    secondCheckMs: 0,
    signal: run.signal,
  });
  if (isCut) throw new RuleError('The new vector index lacks most of its points: start the job again');
  let state = await followEvents(begun, run);
  let left = await remaining(ports, differences, expected);
  if (left.length > 0) {
    state = await repairAll(left, state, run);
    left = await remaining(ports, left, expected);
  }
  const refused = new Set(state.checkpoint.refused);
  const parity = parityOf(
    { memories, points },
    left.filter(({ id }) => !refused.has(id)),
  );
  return { ...state, progress: { ...state.progress, parity } };
}

export function isProven({ missing, orphaned, stale }: Parity): boolean {
  return missing + orphaned + stale === 0;
}

async function repairAll(left: readonly Difference[], begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  let state = begun;
  for (let start = 0; start < left.length; start += REPAIR_GROUP) {
    run.signal.throwIfAborted();
    const ids = left.slice(start, start + REPAIR_GROUP).map(({ id }) => id);
    const refused = await throttled(run, async () =>
      writeStates(await findRepair(ids, { ...run, vectors: run.store }), run),
    );
    state = withRefused(counted(state, { repaired: ids.length }), refused);
  }
  return state;
}

function parityOf(counts: Pick<Parity, 'memories' | 'points'>, left: readonly Difference[]): Parity {
  const count = (wanted: DriftKind) => left.filter(({ kind }) => kind === wanted).length;
  return { ...counts, missing: count('missing'), orphaned: count('orphaned'), stale: count('stale') };
}
