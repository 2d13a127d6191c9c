/** Switches the deployment to the new index. Runs again after a crash in the middle. */
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { fleetOf } from '../../../shared/journal/projector-fleet.js';
import type { RebuildRun } from './rebuild-ports.js';
import { atStep, type RebuildState } from './rebuild-state.js';

/** Saves before the switch which index is dropped after it. */
export async function prepareSwitch(state: RebuildState, { spaces }: RebuildRun): Promise<RebuildState> {
  const { space } = state.checkpoint;
  const previous = (await spaces.list()).find((one) => one.state === 'previous' && one.number !== space);
  const next = atStep(state, 'activate');
  return { ...next, checkpoint: { ...next.checkpoint, former: previous?.number ?? null } };
}

export async function activateSpace(state: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const { space, former } = state.checkpoint;
  if ((await run.spaces.active())?.number !== space) await run.spaces.activate(space, await indexedThrough(state, run));
  await run.indexes.publish(space);
  if (former !== null) await run.indexes.drop(former);
  run.logger.info({ space, model: run.space.model }, 'the deployment uses the new vector index');
  return atStep(state, 'settle');
}

/** The index before the switch has every event up to here. Its indexers may be further behind than this job. */
async function indexedThrough({ checkpoint }: RebuildState, { states }: RebuildRun): Promise<number> {
  const { furthestBehind } = fleetOf(VECTOR_INDEXER, await states.list());
  return Math.min(checkpoint.position, furthestBehind?.position ?? 0);
}
