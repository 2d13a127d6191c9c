/** Whether waiting for the vector indexer makes sense: it shows signs of life and was not further behind than the wait would last. */
import type { JournalReader, ProjectorState, ProjectorStates } from '../shared/journal/journal.js';
import type { Clock } from '../shared/kernel/clock.js';
import { PalimpsestError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';

/** The indexer's name among projectors, in its states and dead letters. */
export const VECTOR_INDEXER = 'vector-indexer';
/** Older signs of life are none. */
const HEARTBEAT_STALE_MS = 15_000;
/** For how long one look serves all requests. */
const LOOK_KEPT_MS = 1_000;

/** Null: it does not run. Else how far behind it was at its last sign of life, in ms. */
export type IndexerWatch = () => Promise<number | null>;

export function createIndexerWatch(deps: {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): IndexerWatch {
  let look: { readonly at: number; readonly lag: Promise<number | null> } | undefined;

  async function lag(): Promise<number | null> {
    const now = deps.clock.now().getTime();
    const alive = (await deps.states.list()).filter((state) => isAlive(state, now));
    const furthest = alive.sort((one, other) => one.position - other.position).at(-1);
    if (!furthest) return null;
    const [next] = await deps.journal.read({ after: furthest.position, limit: 1 });
    if (!next) return 0;
    return Math.max(0, Date.parse(furthest.heartbeatAt) - Date.parse(next.time));
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

function isAlive({ name, paused, heartbeatAt }: ProjectorState, now: number): boolean {
  return name === VECTOR_INDEXER && !paused && now - Date.parse(heartbeatAt) < HEARTBEAT_STALE_MS;
}
