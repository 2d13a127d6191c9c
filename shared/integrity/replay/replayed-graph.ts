/** What a replay of the journal needs of a graph. */
import type { RecordedEvent } from '../../contract/events.js';
import type { GraphMark } from '../../ports/graph-mark.js';

export type ReplayedGraph = GraphMark & {
  /** As `GraphWriter.apply`: idempotent and guarded by versions. Moves the mark between begin and end of a replay. */
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
};
