/**
 * The jobs that replace the vector index while recall keeps answering from the old one. Each step runs again from its
 * checkpoint after a crash:
 *
 *   fill      note the position of the journal, then write a point for every memory of the graph
 *   follow    write the events since that position
 *   prove     compare graph and new index; a difference that is left fails the job, and the new index is dropped
 *   activate  switch; the old index stays for a rollback
 *   settle    follow until every process uses the new index, then compare once more
 *
 * A rollback does the same with the previous index, from the position where it ends.
 */
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import type { RunJob } from '../../../shared/jobs/run-jobs.js';
import { fleetOf } from '../../../shared/journal/projector-fleet.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { isRetryable, RuleError } from '../../../shared/kernel/errors.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { Job } from '../../../shared/ports/jobs.js';
import type { VectorSpace } from '../../../shared/ports/vector-spaces.js';
import type { RebuildRequest } from '../../../shared/spaces/rebuild-request.js';
import { createVectorIndexer } from '../../vector-indexer/vector-indexer.js';
import { fillIndex } from './fill-index.js';
import { followEvents, publishedThrough } from './follow-events.js';
import { isProven, proveParity } from './prove-parity.js';
import type { RebuildPorts, RebuildRun } from './rebuild-ports.js';
import {
  atStep,
  type RebuildCheckpoint,
  type RebuildProgress,
  type RebuildState,
  type RebuildStep,
} from './rebuild-state.js';
import { settleSpace } from './settle-space.js';

export type IndexRebuilder = { readonly rebuild: RunJob; readonly rollback: RunJob };

export function createIndexRebuilder(ports: RebuildPorts): IndexRebuilder {
  return {
    rebuild: createRun(ports, (job) => beginRebuild(job, ports)),
    rollback: createRun(ports, () => beginRollback(ports)),
  };
}

/** `begin`: the state before the first step. */
function createRun(ports: RebuildPorts, begin: (job: Job) => Promise<RebuildState>): RunJob {
  return async (job, { signal, save }) => {
    try {
      let state = stateOf(job) ?? (await begin(job));
      await save(state);
      const space = await spaceOf(state, ports);
      const embedder = await openEmbedderOf(space, ports);
      try {
        const store = await ports.indexes.openStore(space);
        const { repair } = createVectorIndexer({ ...ports, embedder, vectors: store });
        const run = { ...ports, space, store, repair, save, signal };
        while (state.checkpoint.step !== 'done') {
          state = await runStep(state, run);
          await save(state);
        }
        return state.progress;
      } finally {
        await embedder.close();
      }
    } catch (error) {
      if (!signal.aborted && !isRetryable(error)) await dropUnfinished(ports);
      throw error;
    }
  };
}

async function runStep(state: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const { step } = state.checkpoint;
  run.logger.info(state.progress, 'vector index: next step of the rebuild');
  switch (step) {
    case 'fill':
      return fillIndex(state, run);
    case 'follow':
      return atStep(await followEvents(state, run), 'prove');
    case 'prove':
      return prepareSwitch(await requireParity(state, run), run);
    case 'activate':
      return activateSpace(state, run);
    case 'settle':
      return settleSpace(state, run);
    case 'done':
      return state;
    default:
      return step satisfies never;
  }
}

async function requireParity(begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const state = await proveParity(begun, run);
  const { parity } = state.progress;
  if (parity !== null && isProven(parity)) return state;
  await run.save(state);
  throw new RuleError(
    'The new vector index differs from the graph after a repair, so the old one stays: see the parity, and start the job again',
  );
}

async function beginRebuild({ request }: Job, ports: RebuildPorts): Promise<RebuildState> {
  await dropUnfinished(ports); // of a job that ended between its first two writes
  const { target, model, dimension } = request as RebuildRequest; // the route made it
  const position = await publishedThrough(ports);
  const { memories } = await ports.graph.counts({ excludedTypes: [] });
  const { number } = await ports.spaces.build({ target, model, dimension, position });
  return {
    checkpoint: { step: 'fill', space: number, after: '', position, former: null, refused: [] },
    progress: progressOf('fill', { number, model, dimension }, memories),
  };
}

async function beginRollback({ spaces }: RebuildPorts): Promise<RebuildState> {
  const previous = (await spaces.list()).find(({ state }) => state === 'previous');
  if (previous === undefined)
    throw new RuleError('There is no previous vector index to go back to: it exists after a rebuild');
  const { number, position } = previous;
  return {
    checkpoint: { step: 'follow', space: number, after: '', position, former: null, refused: [] },
    progress: progressOf('follow', previous, 0),
  };
}

function progressOf(
  step: RebuildStep,
  { number, model, dimension }: Pick<VectorSpace, 'number' | 'model' | 'dimension'>,
  memories: number,
): RebuildProgress {
  const none = { filled: 0, followed: 0, repaired: 0, failed: 0, failed_ids: [], parity: null };
  return { step, space: number, model, vector_size: dimension, memories, ...none };
}

/** Null before the first checkpoint. */
function stateOf({ checkpoint, progress }: Job): RebuildState | null {
  if (checkpoint === null) return null;
  return { checkpoint: checkpoint as RebuildCheckpoint, progress: progress as RebuildProgress }; // an earlier run of this file saved them
}

async function spaceOf({ checkpoint }: RebuildState, { spaces }: RebuildPorts): Promise<VectorSpace> {
  const space = (await spaces.list()).find(({ number }) => number === checkpoint.space);
  if (space === undefined) throw new RuleError(`Vector space ${checkpoint.space} is gone: start the job again`);
  return space;
}

async function openEmbedderOf({ target, model }: VectorSpace, { openEmbedder }: RebuildPorts): Promise<Embedder> {
  const embedder = await openEmbedder(target);
  if (embedder.model === model) return embedder;
  await embedder.close();
  throw new ConfigurationError([
    `the projectors make vectors of ${embedder.model}, but this job needs ${model}: give all processes the same embedding variables`,
  ]);
}

/** An index that no process uses. A rollback leaves the previous one as it is. */
async function dropUnfinished({ spaces, indexes }: RebuildPorts): Promise<void> {
  for (const { number, state } of await spaces.list()) {
    if (state !== 'building') continue;
    await indexes.drop(number);
    await spaces.drop(number);
  }
}

/**
 * Switches the deployment to the new index. Runs again after a crash in the middle. Saves before the switch which
 * index is dropped after it.
 */
async function prepareSwitch(state: RebuildState, { spaces }: RebuildRun): Promise<RebuildState> {
  const { space } = state.checkpoint;
  const previous = (await spaces.list()).find((one) => one.state === 'previous' && one.number !== space);
  const next = atStep(state, 'activate');
  return { ...next, checkpoint: { ...next.checkpoint, former: previous?.number ?? null } };
}

async function activateSpace(state: RebuildState, run: RebuildRun): Promise<RebuildState> {
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
