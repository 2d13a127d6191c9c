/**
 * The relay publishes applied events of the outbox, in order per key. One relay leads, the others are on standby. An
 * event that was published but not removed is published again; the first occurrences of all events stay in order. An
 * event that the stream refuses becomes a dead letter, which holds its key back until a redrive.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { RELAY_LETTERS } from '../../shared/contract/projector-names.js';
import { formatTimestamp } from '../../shared/kernel/clock.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import { reportOf } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { withBatchSpan } from '../../shared/kernel/tracing/tracing.js';
import type { DeadLetters } from '../../shared/ports/journal.js';
import type { Leadership, Outbox } from '../../shared/ports/outbox.js';
import { type EventPublisher, type RefusedEvent, RefusedEventsError } from '../../shared/ports/stream.js';
import type { RelayConfig } from './process-config.js';

export type RelayDeps = {
  readonly outbox: Outbox;
  readonly publisher: Pick<EventPublisher, 'append'>;
  readonly deadLetters: Pick<DeadLetters, 'add' | 'takeRedrives' | 'discard'>;
  readonly logger: Logger;
  readonly config: Pick<RelayConfig, 'batchSize' | 'pollMs'>;
};

export interface Relay {
  leads(): boolean;
  /** Resolves when no applied event waits; rejects when the signal aborts first. For tests. */
  settled(signal?: AbortSignal): Promise<void>;
  /** Finishes the running batch, then resigns the leadership. */
  close(): Promise<void>;
}

const NONE: ReadonlySet<number> = new Set();
/** Requested redrives in one step. */
const REDRIVE_LIMIT = 100;
const FAILED_WAIT_MS = { failedMinimumMs: 100, failedMaximumMs: 5_000 };
const SETTLE_PACE = { idleMinimumMs: 5, idleMaximumMs: 100, ...FAILED_WAIT_MS };

export function createRelay({ outbox, publisher, deadLetters, logger, config }: RelayDeps): Relay {
  const closing = new AbortController();
  let leadership: Leadership | null = null;

  const loop = createLoop({
    pace: { idleMinimumMs: config.pollMs, idleMaximumMs: config.pollMs, ...FAILED_WAIT_MS },
    onFailure: (error, waitMs) => {
      if (!closing.signal.aborted) logger.warn({ err: error, waitMs }, 'publishing failed; events wait in the outbox');
    },
    step: async (signal) => {
      const current = await ensureLeadership(signal);
      await releaseRedriven();
      const events = await outbox.applied({ limit: config.batchSize });
      if (events.length === 0 || current.lost.aborted) return 'idle';
      await publish(events, current);
      // The bytes may also limit a batch, so only an empty batch means that nothing is left.
      return 'full';
    },
  });
  const stopListening = outbox.onApplied(loop.wake);
  const running = loop.run(closing.signal);

  function publish(events: readonly RecordedEvent[], current: Leadership): Promise<void> {
    return withBatchSpan('publish events', { kind: 'producer', events }, async () => {
      const unsent = await append(events, current);
      await outbox.published(events.filter(({ position }) => !unsent.has(position)));
    });
  }

  /** Returns the positions of the events that the stream lacks; each of them has a dead letter, or waits behind one. */
  async function append(events: readonly RecordedEvent[], current: Leadership): Promise<ReadonlySet<number>> {
    try {
      await publisher.append(events, current);
      return NONE;
    } catch (error) {
      if (!(error instanceof RefusedEventsError)) throw error;
      for (const refused of error.refused) await addLetter(refused);
      return error.unsent;
    }
  }

  async function addLetter({ event: { id, subject, type, version, position }, error }: RefusedEvent): Promise<void> {
    const reason = reportOf(error);
    const letter = { projector: RELAY_LETTERS, eventId: id, subject, type, version, position, reason, attempts: 1 };
    await deadLetters.add({ ...letter, at: formatTimestamp(new Date()) });
    logger.error(
      { err: error, subject, position },
      'stream refuses an event, and its key waits: let the topic accept it (max.message.bytes), then redrive its dead letter',
    );
  }

  /** Without its letter an event is published like any other. */
  async function releaseRedriven(): Promise<void> {
    const letters = await deadLetters.takeRedrives(RELAY_LETTERS, REDRIVE_LIMIT);
    if (letters.length > 0) await deadLetters.discard(letters.map(({ id }) => id));
  }

  async function ensureLeadership(signal: AbortSignal): Promise<Leadership> {
    if (leadership && !leadership.lost.aborted) return leadership;
    await leadership?.resign();
    leadership = null;
    leadership = await outbox.lead(signal);
    logger.info({ epoch: leadership.epoch }, 'relay leadership acquired');
    return leadership;
  }

  return {
    leads: () => leadership !== null && !leadership.lost.aborted,
    settled: async (signal = new AbortController().signal) => {
      const empty = new AbortController();
      const polling = createLoop({
        pace: SETTLE_PACE,
        onFailure: () => undefined,
        step: async () => {
          loop.wake();
          if ((await outbox.depth()).applied === 0) empty.abort();
          return 'idle';
        },
      });
      await withAnySignal([signal, empty.signal], polling.run);
      if (!empty.signal.aborted) throw signal.reason;
    },
    close: async () => {
      stopListening();
      closing.abort();
      await running;
      await leadership?.resign();
    },
  };
}
