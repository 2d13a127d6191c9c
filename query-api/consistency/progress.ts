/**
 * The positions that the vector index and the graph have reached, for all reads that wait for a position. All waiting reads share one query
 * at a time; without a waiting read there is no query.
 */
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { JournalReader, ProjectorStates } from '../../shared/journal/journal.js';
import type { OutboxReader } from '../../shared/journal/outbox.js';
import { fleetOf, lagAtHeartbeat } from '../../shared/journal/projector-fleet.js';

export type ReadPositions = {
  /** The index contains every event up to this position: the saved position of the slowest indexer. */
  readonly indexed: number;
  /** The lag of the slowest indexer at its last heartbeat; null while no indexer runs. */
  readonly indexLagMs: number | null;
  /** The graph shows every event up to this position. */
  readonly shownInGraph: number;
};

/** The result of a query that is running or starts now. */
export type Progress = () => Promise<ReadPositions>;

export type ProgressDependencies = {
  readonly journal: Pick<JournalReader, 'ageAfter'>;
  readonly projectorStates: Pick<ProjectorStates, 'list'>;
  /** Present where the graph follows the journal. Where both are one database, the graph shows every committed event. */
  readonly outbox?: Pick<OutboxReader, 'appliedThrough'>;
};

export function createProgress({ journal, projectorStates, outbox }: ProgressDependencies): Progress {
  let running: Promise<ReadPositions> | undefined;

  async function readPositions(): Promise<ReadPositions> {
    const [states, shown] = await Promise.all([projectorStates.list(), outbox?.appliedThrough() ?? Infinity]);
    const { isRunning, furthestBehind: last } = fleetOf(VECTOR_INDEXER, states);
    const indexed = last?.position ?? 0;
    if (!isRunning || !last) return { indexed, indexLagMs: null, shownInGraph: shown };
    return { indexed, indexLagMs: await lagAtHeartbeat(last, journal), shownInGraph: shown };
  }

  return () => {
    running ??= readPositions().finally(() => {
      running = undefined;
    });
    return running;
  };
}
