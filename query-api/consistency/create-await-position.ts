/** Waits until what is read shows a position of the journal, as long as that may still come to be, and says truthfully whether it does. */
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalReader } from '../../shared/journal/journal.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { beyondHead } from '../feed/beyond-head.js';
import type { IsIndexed } from './create-is-indexed.js';
import type { Progress, Seen } from './create-progress.js';

/** The first look comes again this soon, each further one twice as late, up to the last. */
const [LOOK_FIRST_MS, LOOK_LAST_MS] = [20, 200];

export type Consistency = { readonly index: boolean; readonly graph: boolean; readonly waitedMs: number };

/** `reads`: what is waited for; of the index it is said as well where nothing of it is read. */
export type Awaited = {
  readonly position: number;
  readonly reads: 'graph' | 'index_and_graph';
  readonly signal: AbortSignal;
};

/** Throws ValidationError for a position that the journal does not have. */
export type AwaitPosition = (awaited: Awaited) => Promise<Consistency>;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'head'>;
  readonly progress: Progress;
  readonly isIndexed: IsIndexed;
  readonly waitMs: number;
  readonly logger: Logger;
};

export function createAwaitPosition({ journal, progress, isIndexed, waitMs, logger }: Dependencies): AwaitPosition {
  async function look(position: number): Promise<Found> {
    const { indexed, indexLagMs, shown } = await progress();
    return { index: await isIndexed(indexed, position), graph: shown >= position, indexLagMs };
  }

  async function wait({ position, reads, signal }: Awaited): Promise<Found> {
    const deadline = performance.now() + waitMs;
    const head = await journal.head();
    if (position > head)
      throw beyondHead('consistent_with', {
        position,
        head,
        advice: 'take it from Memory-Position of a write to this service',
      });
    for (let delay = LOOK_FIRST_MS; ; delay = Math.min(delay * 2, LOOK_LAST_MS)) {
      const found = await look(position);
      const leftMs = deadline - performance.now();
      if (signal.aborted || !mayCome(found, { reads, leftMs })) return found;
      await pause(Math.min(delay, leftMs));
    }
  }

  return async (awaited) => {
    const startedAt = performance.now();
    try {
      const { index, graph } = await wait(awaited);
      return { index, graph, waitedMs: performance.now() - startedAt };
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      // Reads go on without the journal, and nobody knows what they show.
      logger.warn({ error }, 'How far index and graph are cannot be read: a read does not wait for its position');
      return { index: false, graph: false, waitedMs: performance.now() - startedAt };
    }
  };
}

type Found = Pick<Consistency, 'index' | 'graph'> & Pick<Seen, 'indexLagMs'>;
type Hope = Pick<Awaited, 'reads'> & { readonly leftMs: number };

/** Something that is waited for is not there, and may be before the time is over: an indexer that is further behind than that will not. */
function mayCome({ index, graph, indexLagMs }: Found, { reads, leftMs }: Hope): boolean {
  if (leftMs <= 0) return false;
  const isIndexComing = reads === 'index_and_graph' && !index && indexLagMs !== null && indexLagMs <= leftMs;
  return isIndexComing || !graph;
}
