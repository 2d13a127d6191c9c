/**
 * The stream ports: they carry journalled events to projectors, and activity on a lossy channel. The ports are narrow
 * on purpose, so that any log with consumer groups can implement them.
 */
import type { Activity, RecordedEvent } from '../contract/events.js';
import { DependencyError, reportOf } from '../kernel/errors.js';
import type { Leadership } from './outbox.js';

export interface EventPublisher {
  /**
   * Makes events that the journal holds visible to every subscription. Resolves when they are durable in the stream.
   * The caller repeats the call when it does not know the outcome, so a subscriber may see an event more than once. The
   * first appearances of the events of one partition key are in position order. Throws RefusedEventsError when the
   * stream refuses an event for itself: all others are durable, apart from later events of its key.
   *
   * `leadership`: the one of the caller, where several processes may append. Once another leader has appended events of
   * a key, nothing that this leader sent follows them, however late it arrives: the call rejects.
   */
  append(events: readonly RecordedEvent[], leadership?: Pick<Leadership, 'confirm'>): Promise<void>;
  /** Sends the activity to the current listeners. The activity may be lost; the call never blocks and never throws. */
  notify(activity: Activity): void;
}

export type RefusedEvent = { readonly event: RecordedEvent; readonly error: unknown };

/** Names the events that the stream refuses at every attempt, for example because they are too large for it. */
export class RefusedEventsError extends DependencyError {
  constructor(
    readonly refused: readonly RefusedEvent[],
    /** The positions that the stream lacks: of these events, and of later ones of their keys. */
    readonly unsent: ReadonlySet<number>,
  ) {
    super('stream', `The stream refuses events: ${refused.map(({ error }) => reportOf(error)).join('; ')}`);
  }
}

export interface EventSource {
  /**
   * Delivers every event from the very first one to `handle`, at least once, in order per partition key, in batches of
   * at most `batchSize`, one batch at a time. The checkpoint moves only after `handle` has resolved; after a restart,
   * delivery continues behind the checkpoint. When `handle` rejects, the same batch (or a longer one from the same
   * position) is delivered again: after `error.retryAfterSeconds` where given, else with backoff. A batch is never
   * skipped. Two subscriptions of one group share the work.
   */
  subscribe(subscription: EventSubscription): Promise<Subscription>;
  /**
   * Lossy: activity that is notified while no listener is open is lost. When a handler throws, the error is logged and
   * its activities are lost. Listeners of one group share the activities. A group leaves no state behind when its last
   * listener closes. Rejects when `signal` aborts before the listener is open.
   */
  listen(
    group: string,
    handle: (activities: readonly Activity[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Subscription>;
  /**
   * How long the partitions of a subscription may stay unassigned after its process was killed, in ms. After this time
   * the positions of the other members of the group include those partitions. 0 where all subscriptions of a group
   * share one position.
   */
  readonly takeoverMs: number;
}

export type EventSubscription = {
  readonly group: string;
  readonly batchSize: number;
  readonly handle: (events: readonly RecordedEvent[], signal: AbortSignal) => Promise<void>;
};

export interface Subscription {
  /** The last position whose batch was handled and whose checkpoint is saved. */
  position(): number;
  /**
   * Resolves when all events that the stream held at the time of the call are handled. For tests and for an orderly
   * shutdown.
   */
  settled(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Finishes the running batch, then stops. */
  close(): Promise<void>;
}
