/**
 * How far the vector index and the graph are, for all that wait for a position: one look at a time, however many wait, and none while
 * nobody does.
 */
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { JournalReader, ProjectorStates } from '../../shared/journal/journal.js';
import type { OutboxReader } from '../../shared/journal/outbox.js';
import { fleetOf } from '../../shared/journal/projector-fleet.js';
import type { Clock } from '../../shared/kernel/clock.js';

export type Seen = {
  /** The index has every event at or below it: the position that the indexer furthest behind has saved. */
  readonly indexed: number;
  /** How far behind the indexers were at the last sign of life of that one; null while none runs. */
  readonly indexLagMs: number | null;
  /** The graph shows every event at or below it. */
  readonly shown: number;
};

/** As of a look that is under way or begins now. */
export type Progress = () => Promise<Seen>;

export type ProgressDependencies = {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly projectorStates: Pick<ProjectorStates, 'list'>;
  /** Where the graph follows the journal; where both are one store the graph shows what is committed. */
  readonly outbox?: Pick<OutboxReader, 'shownThrough'>;
  readonly clock: Clock;
};

export function createProgress({ journal, projectorStates, outbox, clock }: ProgressDependencies): Progress {
  let looking: Promise<Seen> | undefined;

  async function look(): Promise<Seen> {
    const [states, shown] = await Promise.all([projectorStates.list(), outbox?.shownThrough() ?? Infinity]);
    const { isRunning, last } = fleetOf(VECTOR_INDEXER, states, clock.now());
    const indexed = last?.position ?? 0;
    if (!isRunning || !last) return { indexed, indexLagMs: null, shown };
    const [next] = await journal.read({ after: indexed, limit: 1 });
    return { indexed, indexLagMs: next ? Math.max(0, Date.parse(last.heartbeatAt) - Date.parse(next.time)) : 0, shown };
  }

  return () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
