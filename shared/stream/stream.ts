/**
 * The stream ports: journalled events on their way to projectors, and lossy activity. Narrow on purpose, so that any log with
 * consumer groups can stand behind it.
 */
import type { Activity, RecordedEvent } from '../contract/events.js';

export interface EventPublisher {
  /**
   * Events that the journal holds become visible to every subscription. Resolves when they are durable in the stream. Called again
   * after a doubt, so subscribers may see an event more than once; first appearances of one partition key are in position order.
   */
  append(events: readonly RecordedEvent[]): Promise<void>;
  /** Tells whoever listens just now; may be lost, never blocks and never throws. */
  notify(activity: Activity): void;
}

export interface EventSource {
  /**
   * Delivers every event from the very first one, at least once, in order per partition key, to `handle`, in batches of at most
   * `batchSize`, one batch at a time. The checkpoint moves only after `handle` has resolved; after a restart delivery goes on
   * behind it. When `handle` rejects, the same batch (or a longer one from the same place) is delivered again: after
   * `error.retryAfterSeconds` where given, else with back-off; it never skips. Two subscriptions of one group share the work.
   */
  subscribe(subscription: EventSubscription): Promise<Subscription>;
  /**
   * Lossy: what is notified while nobody listens is gone. A handler that throws is logged and forgotten. Listeners of one group share
   * what is told; a group leaves nothing behind when its last listener has gone. Rejects when `signal` aborts before it listens.
   */
  listen(
    group: string,
    handle: (activities: readonly Activity[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Subscription>;
  /**
   * How long the share of a subscription may be nobody's after its process was killed, in ms: at most so much later the positions of the
   * others of its group answer for it. 0 where every subscription stands where its group does.
   */
  readonly takeoverMs: number;
}

export type EventSubscription = {
  readonly group: string;
  readonly batchSize: number;
  readonly handle: (events: readonly RecordedEvent[], signal: AbortSignal) => Promise<void>;
};

export interface Subscription {
  /** The last position whose batch was handled and whose checkpoint is durable. */
  position(): number;
  /** Resolves when everything that was in the stream at the time of the call has been handled. For tests and orderly stops. */
  settled(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Finishes the running batch, then stops. */
  close(): Promise<void>;
}
