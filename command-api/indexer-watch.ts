/**
 * Reports the lag of the vector indexer, so that requests wait for it only when it runs and its lag is below their
 * wait.
 */
import { VECTOR_INDEXER } from '../shared/contract/projector-names.js';
import { fleetOf, lagAtHeartbeat } from '../shared/journal/projector-fleet.js';
import { PalimpsestError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { JournalReader, ProjectorStates } from '../shared/ports/journal.js';

/** How long all requests share one reading. */
const LAG_CACHE_MS = 1_000;

/** Null: no instance of the indexer runs. Otherwise the lag in ms of the last instance at its last heartbeat. */
export type IndexerWatch = () => Promise<number | null>;

export function createIndexerWatch(deps: {
  readonly journal: Pick<JournalReader, 'ageAfter'>;
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly logger: Logger;
}): IndexerWatch {
  let reading: { readonly at: number; readonly lag: Promise<number | null> } | undefined;

  async function lag(): Promise<number | null> {
    const { isRunning, furthestBehind: last } = fleetOf(VECTOR_INDEXER, await deps.states.list());
    return isRunning && last ? lagAtHeartbeat(last, deps.journal) : null;
  }

  return () => {
    const at = performance.now();
    if (!reading || at - reading.at >= LAG_CACHE_MS) {
      const unknown = (error: unknown): null => {
        if (!(error instanceof PalimpsestError)) throw error;
        deps.logger.warn({ err: error }, 'vector indexer state is unavailable; answers do not wait for it');
        return null;
      };
      reading = { at, lag: lag().catch(unknown) };
    }
    return reading.lag;
  };
}
