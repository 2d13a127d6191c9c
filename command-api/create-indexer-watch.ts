/** Whether waiting for the vector indexer makes sense: it shows signs of life and was not further behind than the wait would last. */
import type { JournalReader, ProjectorStates } from '../shared/journal/journal.js';
import { VECTOR_INDEXER } from '../shared/contract/projector-names.js';
import { fleetOf } from '../shared/journal/projector-fleet.js';
import type { Clock } from '../shared/kernel/clock.js';
import { PalimpsestError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';

/** For how long one look serves all requests. */
const LOOK_KEPT_MS = 1_000;

/** Null: no instance of it runs. Else how far behind the last of them was at its last sign of life, in ms. */
export type IndexerWatch = () => Promise<number | null>;

export function createIndexerWatch(deps: {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): IndexerWatch {
  let look: { readonly at: number; readonly lag: Promise<number | null> } | undefined;

  async function lag(): Promise<number | null> {
    const { isRunning, last } = fleetOf(VECTOR_INDEXER, await deps.states.list(), deps.clock.now());
    if (!isRunning || !last) return null;
    const [next] = await deps.journal.read({ after: last.position, limit: 1 });
    if (!next) return 0;
    return Math.max(0, Date.parse(last.heartbeatAt) - Date.parse(next.time));
  }

  return () => {
    const at = performance.now();
    if (!look || at - look.at >= LOOK_KEPT_MS) {
      const unknown = (error: unknown): null => {
        if (!(error instanceof PalimpsestError)) throw error;
        deps.logger.warn({ err: error }, 'The state of the vector indexer cannot be read: answers do not wait for it');
        return null;
      };
      look = { at, lag: lag().catch(unknown) };
    }
    return look.lag;
  };
}
