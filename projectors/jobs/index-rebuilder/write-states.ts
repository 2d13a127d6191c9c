/**
 * Writes points of given states into the index that is being built. A memory whose content the embedder refuses is left
 * out.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { PoisonError } from '../../../shared/kernel/errors.js';
import type { Repair } from '../../vector-indexer/vector-indexer.js';
import type { RebuildRun } from './rebuild-ports.js';

/** Returns the memories that were left out. Halves a refused group, so that one such memory costs few calls. */
export async function writeStates(
  { states, deletions }: Pick<Repair, 'states' | 'deletions'>,
  run: Pick<RebuildRun, 'repair' | 'logger' | 'signal'>,
): Promise<readonly MemoryId[]> {
  if (states.length === 0 && deletions.length === 0) return [];
  try {
    await run.repair({ states, deletions, embedAgain: false }, run.signal);
    return [];
  } catch (error) {
    if (run.signal.aborted || !(error instanceof PoisonError)) throw error;
    const [only] = states;
    if (only === undefined) throw error;
    if (states.length === 1) {
      run.logger.warn({ err: error, memory: only.state.memory.id }, 'the embedder refuses a memory');
      await writeStates({ states: [], deletions }, run);
      return [only.state.memory.id];
    }
    const middle = Math.ceil(states.length / 2);
    const first = await writeStates({ states: states.slice(0, middle), deletions }, run);
    return [...first, ...(await writeStates({ states: states.slice(middle), deletions: [] }, run))];
  }
}
