/** What a replay of the journal needs of a graph. */
import type { RecordedEvent } from '../../contract/events.js';
import type { MarkedGraph } from '../journal-mark/check-mark.js';

export type ReplayedGraph = MarkedGraph & {
  /** As `GraphWriter.apply`: idempotent, guarded by versions, and moves the mark. */
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
};
