/**
 * What is on its way from the journal to the stream. A row lives from the commit to the publication: `pending` until the graph shows the
 * event, then `applied`, then gone. The committer makes rows and applies them; the relay publishes and removes them.
 */
import type { RecordedEvent } from '../contract/events.js';

/** The right to publish, held by one process at a time. */
export type Leadership = {
  /** Aborted when the lease is lost (the session ended, or somebody else leads): publish nothing after it. */
  readonly lost: AbortSignal;
  /** Counts up with every change of the leader; what an earlier leader still sends can be told by it. */
  readonly epoch: number;
  /** Gives it back, so that another leads at once. */
  readonly resign: () => Promise<void>;
};

/** What anybody may ask of it. */
export interface OutboxReader {
  /** How many rows wait, by state, and the age in ms of the oldest (0 when there is none). */
  depth(): Promise<{ readonly pending: number; readonly applied: number; readonly oldestMs: number }>;
  /** Every event of the journal at or below this position is in the stream; the head of the journal when nothing waits. */
  publishedThrough(): Promise<number>;
  /** The graph shows every event of the journal at or below this position; the head of the journal when none is pending. */
  shownThrough(): Promise<number>;
}

export interface Outbox extends OutboxReader {
  /** Resolves when this process leads; rejects when `signal` aborts. Waits without polling hard while another leads. */
  lead(signal: AbortSignal): Promise<Leadership>;
  /**
   * Applied events in position order, at most `limit`, without those that have a pending row of the same partition key before them: a
   * pending row holds back its own key only. Not removed by this.
   */
  applied(request: { readonly limit: number }): Promise<readonly RecordedEvent[]>;
  /** The stream has them: their rows go. */
  published(positions: readonly number[]): Promise<void>;
  /** Called soon after rows became applied; may be missed, so poll as well. Returns how to stop it. */
  onApplied(wake: () => void): () => void;
}
