/**
 * The port of the webhooks and of their log. They are stored in the database of the journal: a journal that goes back
 * takes their positions back with it, so a position is never of another history.
 */
import type { EventType } from '../contract/events.js';
import type { DeliveryState } from '../contract/maintenance/webhooks.js';
import type { Timestamp } from '../contract/memory.js';

export type Webhook = {
  /** A UUID. */
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Empty: every type. */
  readonly types: readonly EventType[];
  /** As the caller gave them. Empty: every event. */
  readonly tags: readonly string[];
  /** `whsec_` and base64. Only the sender and the reply that shows it once read it. */
  readonly secret: string;
  /** Also signs until `previousSecretUntil`. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Timestamp | null;
  /** Null while it is enabled. */
  readonly disabledReason: string | null;
  /** Every event up to this position is delivered, or is none that the webhook asks for. */
  readonly position: number;
  /** Changes with each change by a caller. What the sender saves for an older revision has no effect. */
  readonly revision: number;
  /** Of the oldest event that fails. */
  readonly failingSince: Timestamp | null;
  readonly lastError: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type NewWebhook = Pick<Webhook, 'id' | 'url' | 'description' | 'types' | 'tags' | 'secret' | 'position'>;

export type WebhookChange = Partial<
  Pick<
    Webhook,
    | 'url'
    | 'description'
    | 'types'
    | 'tags'
    | 'secret'
    | 'previousSecret'
    | 'previousSecretUntil'
    | 'disabledReason'
    | 'position'
  >
>;

/** The last attempt to deliver one event to one webhook. */
export type Delivery = {
  readonly position: number;
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly firstAttemptAt: Timestamp;
  readonly lastAttemptAt: Timestamp;
  /** Null once it is delivered. */
  readonly nextAttemptAt: Timestamp | null;
};

/** What the sender saves of one webhook. */
export type WebhookProgress = Pick<Webhook, 'id' | 'revision' | 'position' | 'failingSince' | 'lastError'> & {
  /** The position that the sender read, or saved last. It differs from the stored one when the journal went back. */
  readonly from: number;
  /** Replace those of the same positions. */
  readonly deliveries: readonly Delivery[];
};

/** Times are UTC. Every method throws DependencyError('journal') when the database does not answer. */
export interface Webhooks {
  /** Throws ConflictError when there are WEBHOOKS_LIMIT webhooks. */
  create(webhook: NewWebhook): Promise<Webhook>;
  /** The oldest first. */
  list(): Promise<readonly Webhook[]>;
  find(id: string): Promise<Webhook | null>;
  /**
   * Changes what is named, and moves `revision`. A new position (a replay) also removes the deliveries after it from
   * the log, and the error; enabling (`disabledReason: null`) removes the error and the failing deliveries, whose
   * attempts begin again. Null without such a webhook.
   */
  update(id: string, change: WebhookChange): Promise<Webhook | null>;
  /** With its log. False without such a webhook. */
  remove(id: string): Promise<boolean>;
  /** One transaction. False, without effect, when the webhook has another revision or position, or is gone. */
  saveProgress(progress: WebhookProgress): Promise<boolean>;
  /**
   * Disables the webhook. False, without effect, when it has another revision or is gone. The revision moves.
   */
  disable(webhook: Pick<Webhook, 'id' | 'revision'>, reason: string): Promise<boolean>;
  /** Newest event first. `before`: only events before this position. */
  deliveries(request: {
    readonly id: string;
    readonly state?: DeliveryState;
    readonly before?: number;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** The deliveries of events after this position, which a sender that starts again continues with; in order. */
  deliveriesAfter(id: string, position: number): Promise<readonly Delivery[]>;
  /**
   * Removes the deliveries up to the position of their webhook whose last attempt is older than
   * `DELIVERY_RETENTION_MS`. Returns how many.
   */
  cleanLog(): Promise<number>;
}
