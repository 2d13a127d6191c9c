/**
 * The events of one webhook that are read and not yet delivered: which one is sent next, when a failed one is sent
 * again, and what is saved. Without I/O; times are in ms.
 */
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { formatTimestamp } from '../../../shared/kernel/clock.js';
import { DEFAULT_PACE, delayMs, type Pace } from '../../../shared/kernel/concurrency/backoff.js';
import type { Delivery, WebhookProgress } from '../../../shared/ports/webhooks.js';

/** Requests of one webhook at once. */
export const CONCURRENT_REQUESTS = 8;
/** Undelivered events of one webhook in hand. */
const WAITING_EVENTS = 1_000;
/** Events after the position, with the delivered ones, which a sender that starts again reads in the log. */
const WINDOW_EVENTS = 10_000;
/** Undelivered events whose content is held in memory; another page is read below this number. */
const LOADED_EVENTS = 100;
/** An event is read again before a later attempt, because its content may be erased by then. */
const FRESH_MS = 60_000;
/** Failures in a row after which the receiver counts as down: one request at a time probes it. */
const DOWN_AFTER = 16;
/** The longest wait for the next attempt, also when the receiver asks for a longer one. */
const LONGEST_WAIT_MS = 3_600_000;
const RETRY_PACE: Pace = { ...DEFAULT_PACE, failedMinimumMs: 1_000, failedMaximumMs: LONGEST_WAIT_MS };
const PROBE_PACE: Pace = { ...DEFAULT_PACE, failedMinimumMs: 1_000, failedMaximumMs: 60_000 };

export type Entry = {
  readonly position: number;
  readonly subject: string;
  readonly eventId: string;
  readonly type: string;
  /** Null when it is to be read again. */
  event: RecordedEvent | null;
  readAt: number;
  dueAt: number;
  /** Of the last attempt that failed. */
  failure: Delivery | null;
  isInFlight: boolean;
  /** The next event of the same subject, which waits for this one. */
  next: Entry | null;
  isFirst: boolean;
};

/** One attempt that has ended. */
export type Attempt = {
  readonly isDelivered: boolean;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** What the receiver asked for; all events of the webhook wait. */
  readonly retryAfterSeconds: number | null;
  readonly startedAt: number;
  readonly durationMs: number;
};

export type LaneQueue = ReturnType<typeof createLaneQueue>;

/** `known`: the deliveries after the position, as the sender before this one saved them. */
export function createLaneQueue({
  position,
  known,
  isChosen,
  random = Math.random,
}: {
  readonly position: number;
  readonly known: readonly Delivery[];
  readonly isChosen: (event: RecordedEvent) => boolean;
  readonly random?: () => number;
}) {
  const log = new Map(known.map((delivery) => [delivery.position, delivery]));
  /** Both by position. `window` also has delivered events that follow an undelivered one. */
  const undelivered = new Map<number, Entry>();
  const window = new Set<number>();
  const lastOf = new Map<string, Entry>();
  const unsaved = new Map<number, Delivery>();
  let readThrough = position;
  let savedPosition = position;
  let inFlight = 0;
  let loaded = 0;
  let failuresInRow = 0;
  /** No attempt begins before this time. */
  let heldUntil = 0;
  let lastError: string | null = null;

  function add(event: RecordedEvent, now: number): void {
    const { position: at, subject, id: eventId, type } = event;
    const found = log.get(at);
    // After a journal that went back, another event may have this position.
    const logged = found?.eventId === eventId ? found : undefined;
    log.delete(at);
    window.add(at);
    if (logged?.state === 'delivered') return;
    const before = lastOf.get(subject);
    // What waits for a failed event is read when its turn comes.
    const isBlocked = logged !== undefined || (before !== undefined && before.event === null);
    const entry: Entry = {
      ...{ position: at, subject, eventId, type, readAt: now },
      event: isBlocked ? null : event,
      dueAt: logged?.nextAttemptAt ? Date.parse(logged.nextAttemptAt) : 0,
      failure: logged ?? null,
      isInFlight: false,
      next: null,
      isFirst: before === undefined,
    };
    if (before !== undefined) before.next = entry;
    lastOf.set(subject, entry);
    undelivered.set(at, entry);
    if (!isBlocked) loaded += 1;
    if (logged) lastError = logged.error;
  }

  function isDown(): boolean {
    return failuresInRow >= DOWN_AFTER;
  }

  function unload(entry: Entry): void {
    if (entry.event !== null) loaded -= 1;
    entry.event = null;
  }

  function succeed(entry: Entry): void {
    undelivered.delete(entry.position);
    if (entry.next !== null) entry.next.isFirst = true;
    else lastOf.delete(entry.subject);
    trim();
    if (isDown()) {
      heldUntil = 0;
      for (const waiting of undelivered.values()) waiting.dueAt = 0; // they failed because the receiver was down
    }
    failuresInRow = 0;
  }

  function trim(): void {
    for (const at of window) {
      if (undelivered.has(at)) return;
      window.delete(at);
    }
  }

  function fail(entry: Entry, failure: Delivery, now: number, retryAfterSeconds: number | null): void {
    entry.failure = failure;
    entry.dueAt = Date.parse(failure.nextAttemptAt ?? failure.lastAttemptAt);
    lastError = failure.error;
    for (let waiting: Entry | null = entry; waiting !== null; waiting = waiting.next) unload(waiting);
    failuresInRow += 1;
    if (!isDown() && retryAfterSeconds === null) return;
    heldUntil = now + waitMs(PROBE_PACE, Math.max(1, failuresInRow - DOWN_AFTER + 1), retryAfterSeconds);
    for (const waiting of undelivered.values()) if (!waiting.isInFlight) unload(waiting);
  }

  function waitMs(of: Pace, repeats: number, retryAfterSeconds: number | null): number {
    const outcome = { kind: 'failed', retryAfterSeconds } as const;
    return Math.min(LONGEST_WAIT_MS, delayMs(of, outcome, { repeats, random: random() }));
  }

  function positionNow(): number {
    const [first] = window;
    return first === undefined ? readThrough : first - 1;
  }

  return {
    /** Where the next page begins; null while enough events are in hand. */
    readAfter: (): number | null =>
      loaded < LOADED_EVENTS && undelivered.size < WAITING_EVENTS && window.size < WINDOW_EVENTS ? readThrough : null,
    /** Takes a page of the journal that ends at position `through`. */
    addPage: (events: readonly RecordedEvent[], through: number, now: number): void => {
      for (const event of events) if (isChosen(event)) add(event, now);
      readThrough = through;
      trim();
    },
    /** The first event that may be sent now; of one subject only the first one. */
    next: (now: number): Entry | null => {
      if (now < heldUntil || inFlight >= (isDown() ? 1 : CONCURRENT_REQUESTS)) return null;
      for (const entry of undelivered.values())
        if (entry.isFirst && !entry.isInFlight && entry.dueAt <= now) return entry;
      return null;
    },
    mustRead: (entry: Entry, now: number): boolean => entry.event === null || now - entry.readAt > FRESH_MS,
    reload: (entry: Entry, event: RecordedEvent, now: number): void => {
      if (entry.event === null) loaded += 1;
      entry.event = event;
      entry.readAt = now;
    },
    begin: (entry: Entry): void => {
      entry.isInFlight = true;
      inFlight += 1;
    },
    /** An attempt of which nothing is known any more. */
    abandon: (entry: Entry): void => {
      entry.isInFlight = false;
      inFlight -= 1;
    },
    settle: (entry: Entry, attempt: Attempt): Delivery => {
      entry.isInFlight = false;
      inFlight -= 1;
      const now = attempt.startedAt + attempt.durationMs;
      const attempts = (entry.failure?.attempts ?? 0) + 1;
      const nextAttemptAt = attempt.isDelivered
        ? null
        : formatTimestamp(new Date(now + waitMs(RETRY_PACE, attempts, attempt.retryAfterSeconds)));
      const delivery: Delivery = {
        position: entry.position,
        eventId: entry.eventId,
        type: entry.type,
        subject: entry.subject,
        state: attempt.isDelivered ? 'delivered' : 'failing',
        attempts,
        httpStatus: attempt.httpStatus,
        error: attempt.error,
        durationMs: attempt.durationMs,
        firstAttemptAt: entry.failure?.firstAttemptAt ?? formatTimestamp(new Date(attempt.startedAt)),
        lastAttemptAt: formatTimestamp(new Date(attempt.startedAt)),
        nextAttemptAt,
      };
      if (attempt.isDelivered) {
        unload(entry);
        succeed(entry);
      } else fail(entry, delivery, now, attempt.retryAfterSeconds);
      unsaved.set(entry.position, delivery);
      return delivery;
    },
    inFlight: () => inFlight,
    /** What is not yet saved; null without a change. */
    progress: (): Omit<WebhookProgress, 'id' | 'revision'> | null => {
      const now = positionNow();
      if (unsaved.size === 0 && now === savedPosition) return null;
      const failing = [...undelivered.values()].find(({ failure }) => failure !== null)?.failure ?? null;
      return {
        from: savedPosition,
        position: now,
        failingSince: failing?.firstAttemptAt ?? null,
        lastError: failing === null ? null : lastError,
        deliveries: [...unsaved.values()],
      };
    },
    saved: (progress: Pick<WebhookProgress, 'position' | 'deliveries'>): void => {
      savedPosition = progress.position;
      for (const delivery of progress.deliveries)
        if (unsaved.get(delivery.position) === delivery) unsaved.delete(delivery.position);
    },
  };
}
