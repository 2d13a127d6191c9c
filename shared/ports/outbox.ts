/**
 * The port of the outbox: events on their way from the journal to the stream. A row exists from the commit to the
 * publication: it is `pending` until the graph has the event (or it becomes a dead letter of the commit), then
 * `applied` until the relay has published it and deletes the row. The committer writes and applies rows.
 */
import type { RecordedEvent } from '../contract/events.js';

/** The right to publish, held by one process at a time. */
export type Leadership = {
  /**
   * Aborted when the lease is lost, because the session ended or another process leads. The leader publishes nothing
   * after it.
   */
  readonly lost: AbortSignal;
  /** Increases with every change of the leader. For the log: the stream fences an earlier leader itself. */
  readonly epoch: number;
  /** Resolves when this process still led after the call; rejects otherwise. */
  readonly confirm: () => Promise<void>;
  /** Releases the leadership, so that another process can lead immediately. */
  readonly resign: () => Promise<void>;
};

export type OutboxDepth = {
  /** Waiting rows by state. */
  readonly pending: number;
  readonly applied: number;
  /** The age of the oldest row in ms; 0 without rows. Without the rows that dead letters hold back. */
  readonly oldestMs: number;
  /** Dead letters of the commit and of the relay: events that the graph could not apply, or that the stream refuses. */
  readonly dead: number;
  /** The age of the oldest such event in ms; 0 without one. */
  readonly oldestDeadMs: number;
};

/** How far the stream has the events of the journal, as positions of the journal. */
export type Published = {
  /**
   * The stream has every event up to here; the head of the journal when no row waits. Without the events that dead
   * letters hold back, and without those behind an event that the graph failed to apply: progress waits for none of
   * them.
   */
  readonly position: number;
  /** The stream has every event up to here, without an exception. A source that lost events is read again from here. */
  readonly complete: number;
};

/** The id of an event and its position in the journal. */
export type EventAddress = Pick<RecordedEvent, 'position' | 'id'>;

/** The part of the outbox that any process may read. */
export interface OutboxReader {
  depth(): Promise<OutboxDepth>;
  publishedThrough(): Promise<Published>;
  /** Which of these events the graph lacks: pending ones, and dead letters of the commit. */
  unapplied(positions: readonly number[]): Promise<ReadonlySet<number>>;
}

export interface Outbox extends OutboxReader {
  /** Resolves when this process leads; rejects when `signal` aborts. Polls slowly while another process leads. */
  lead(signal: AbortSignal): Promise<Leadership>;
  /**
   * Applied events in position order, at most `limit`. Excludes events behind a pending row of the same partition key:
   * a pending row holds back only its own key. The rows stay in the outbox.
   */
  applied(request: { readonly limit: number }): Promise<readonly RecordedEvent[]>;
  /**
   * Deletes the rows of events that the stream has. A row with the position of one of them and another event stays: the
   * journal may have returned to an earlier state in between.
   */
  published(events: readonly EventAddress[]): Promise<void>;
  /**
   * Calls `wake` soon after rows became applied. A call may be missed, so the relay also polls. Returns a function that
   * stops the calls.
   */
  onApplied(wake: () => void): () => void;
}
