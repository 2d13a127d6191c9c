/**
 * Writes a point for every memory of the graph, in order of the ids. The next page is read while the last one is
 * written.
 */
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import type { RebuildRun } from './rebuild-ports.js';
import { atStep, counted, type RebuildState, withRefused } from './rebuild-state.js';
import { writeStates } from './write-states.js';

/** Memories in a page. */
const FILL_PAGE = 500;

export async function fillIndex(begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const read = (after: string) => run.graphScan.memories({ after, limit: FILL_PAGE });
  let state = begun;
  let next = read(state.checkpoint.after);
  for (;;) {
    run.signal.throwIfAborted();
    const page = await next;
    const last = page.at(-1);
    if (last === undefined) return atStep(state, 'follow');
    next = read(last.memory.id);
    next.catch(() => undefined /* reported where the page is awaited, unless this page fails first */);
    const refused = await throttled(run, () => writeStates({ states: page.map(stateOf), deletions: [] }, run));
    state = withRefused(counted(state, { filled: page.length }), refused);
    state = { ...state, checkpoint: { ...state.checkpoint, after: last.memory.id } };
    await run.save(state);
  }
}

function stateOf({ memory, vectorRef, version }: LoadedMemory) {
  return { version, state: { memory, vectorRef } };
}
