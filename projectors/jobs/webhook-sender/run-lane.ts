/**
 * Delivers the events of one webhook, until it is stopped or the webhook changes. It saves its progress in groups; a
 * process that is killed repeats what was in flight or not yet saved.
 */
import { toCloudEvent } from '../../../shared/contract/events.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { createLoop } from '../../../shared/kernel/concurrency/loop.js';
import { raceDeadline } from '../../../shared/kernel/concurrency/within-deadline.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Metrics } from '../../../shared/kernel/metrics/metrics.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { Webhook, Webhooks } from '../../../shared/ports/webhooks.js';
import { type Attempt, createLaneQueue, type Entry, type LaneQueue } from './lane-queue.js';
import type { Answer, PostEvent } from './post-event.js';
import { createIsChosen } from './select-events.js';
import { signEvent } from './sign-event.js';

/** Events in one read of the journal, and how far one read looks for them. */
const PAGE = 100;
const SCANNED_POSITIONS = 20_000;
/** How often progress is saved, at most. A step follows at the latest after this time. */
const SAVE_MS = 250;
/** How long requests may finish when a lane stops. */
const GRACE_MS = 1_000;
const GONE = 410;

export type LanePorts = {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly webhooks: Pick<Webhooks, 'deliveriesAfter' | 'saveProgress' | 'disable'>;
  readonly createPostEvent: () => PostEvent;
  /** The webhook was disabled because its receiver failed. */
  readonly onDisabled: (webhook: Webhook, reason: string) => void;
  readonly giveUpMs: number;
  readonly metrics: Pick<Metrics, 'count'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type Lane = {
  readonly revision: number;
  /** The journal has events through this position. */
  readonly advance: (head: number) => void;
  readonly stop: () => void;
  /** Resolves when nothing is in flight and progress is saved. Never rejects. */
  readonly ended: Promise<void>;
};

export function runLane(webhook: Webhook, { journal, webhooks, clock, logger, ...ports }: LanePorts): Lane {
  const stopped = new AbortController();
  const cut = new AbortController();
  const { post, close } = ports.createPostEvent();
  const attempts = new Set<Promise<void>>();
  let head = webhook.position;
  let queue: LaneQueue | null = null;
  let disableReason: string | null = null;
  let savedAt = 0;

  const loop = createLoop({
    step: async () => {
      queue ??= await open();
      const isBehind = await readPage(queue);
      await startAttempts(queue);
      if (disableReason !== null && queue.inFlight() === 0) await disable(queue, disableReason);
      else if (performance.now() - savedAt >= SAVE_MS) await save(queue);
      return isBehind ? 'full' : 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'sending webhooks failed'),
    pace: { idleMinimumMs: SAVE_MS, idleMaximumMs: SAVE_MS, failedMinimumMs: 1_000, failedMaximumMs: 30_000 },
  });

  async function open(): Promise<LaneQueue> {
    const { id, position, tags } = webhook;
    const known = await webhooks.deliveriesAfter(id, position);
    return createLaneQueue({ position, known, isChosen: createIsChosen(tags) });
  }

  /** Resolves with true when more can be read. */
  async function readPage({ readAfter, addPage }: LaneQueue): Promise<boolean> {
    const after = readAfter();
    if (after === null || after >= head) return false;
    const through = Math.min(head, after + SCANNED_POSITIONS);
    const types = webhook.types.length > 0 ? { types: webhook.types } : {};
    const events = await journal.read({ after, through, limit: PAGE, ...types });
    const last = events.length === PAGE ? events.at(-1) : undefined;
    addPage(events, last?.position ?? through, now());
    return readAfter() !== null && (last?.position ?? through) < head;
  }

  async function startAttempts(of: LaneQueue): Promise<void> {
    for (let entry = of.next(now()); entry !== null && disableReason === null; entry = of.next(now())) {
      if (of.mustRead(entry, now())) {
        const { position } = entry;
        const [event] = await journal.read({ after: position - 1, through: position, limit: 1 });
        if (event === undefined) throw new Error(`The journal has no event at position ${position} any more`);
        of.reload(entry, event, now());
      }
      of.begin(entry);
      const running = attempt(of, entry).finally(() => {
        attempts.delete(running);
        loop.wake();
      });
      attempts.add(running);
    }
  }

  async function attempt(of: LaneQueue, entry: Entry): Promise<void> {
    const [startedAt, begin] = [now(), performance.now()];
    const answer = await send(entry, startedAt).catch(() => null); // the lane was stopped
    if (answer === null) return of.abandon(entry);
    const durationMs = Math.round(performance.now() - begin);
    const delivery = of.settle(entry, { ...outcomeOf(answer), startedAt, durationMs });
    ports.metrics.count('palimpsest_webhook_attempts_total', {
      outcome: delivery.state === 'delivered' ? 'delivered' : 'failed',
    });
    if (delivery.state === 'delivered') return;
    if (delivery.httpStatus === GONE) disableReason ??= 'The receiver answered 410: it wants no more events';
    else if (startedAt - Date.parse(delivery.firstAttemptAt) >= ports.giveUpMs)
      disableReason ??= `Event ${delivery.eventId} could not be delivered since ${delivery.firstAttemptAt}. ${delivery.error ?? ''}`;
  }

  function send({ event, eventId: id }: Entry, at: number): Promise<Answer> {
    if (event === null) throw new Error('An event is read before it is sent.');
    const body = JSON.stringify(toCloudEvent(event));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Palimpsest',
      ...signEvent({ id, body }, webhook, at),
    };
    return post({ url: webhook.url, headers, body }, cut.signal);
  }

  /** Stops the lane when the webhook has changed: the next lane continues from what is stored. */
  async function save(of: LaneQueue): Promise<void> {
    savedAt = performance.now();
    const progress = of.progress();
    if (progress === null) return;
    const { id, revision } = webhook;
    if (await webhooks.saveProgress({ id, revision, ...progress })) of.saved(progress);
    else stopped.abort();
  }

  async function disable(of: LaneQueue, reason: string): Promise<void> {
    await save(of);
    if (!stopped.signal.aborted && (await webhooks.disable(webhook, reason))) ports.onDisabled(webhook, reason);
    stopped.abort();
  }

  async function run(): Promise<void> {
    await loop.run(stopped.signal);
    await raceDeadline(Promise.all(attempts), { milliseconds: GRACE_MS, onDeadline: () => cut.abort() });
    await Promise.all(attempts);
    close();
    if (queue === null) return;
    await save(queue).catch((err: unknown) => logger.warn({ err }, 'the progress of a webhook was not saved'));
  }

  function now(): number {
    return clock.now().getTime();
  }

  return {
    revision: webhook.revision,
    advance: (to) => {
      if (to <= head) return;
      head = to;
      loop.wake();
    },
    stop: () => stopped.abort(),
    ended: run(),
  };
}

function outcomeOf(answer: Answer): Pick<Attempt, 'isDelivered' | 'httpStatus' | 'error' | 'retryAfterSeconds'> {
  if (answer.kind === 'failed')
    return { isDelivered: false, httpStatus: null, error: answer.error, retryAfterSeconds: null };
  const { status, retryAfterSeconds } = answer;
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    httpStatus: status,
    error: isDelivered ? null : `The receiver answered ${status}`,
    retryAfterSeconds: status === 429 || status === 503 ? retryAfterSeconds : null,
  };
}
