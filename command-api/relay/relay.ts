/**
 * The relay publishes applied events of the outbox, in order per key. One relay leads, the others are on standby. An
 * event that was published but not removed is published again; the first occurrences of all events stay in order.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import { messageOf } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { withBatchSpan } from '../../shared/kernel/tracing/tracing.js';
import type { Leadership, Outbox } from '../../shared/ports/outbox.js';
import type { EventPublisher } from '../../shared/ports/stream.js';
import type { RelayConfig } from './config.js';

export type RelayDeps = {
  readonly outbox: Outbox;
  readonly publisher: Pick<EventPublisher, 'append'>;
  readonly logger: Logger;
  readonly config: Pick<RelayConfig, 'batchSize' | 'pollMs'>;
};

export type RelayStatus = Awaited<ReturnType<Outbox['depth']>> & {
  readonly leads: boolean;
  /** The fencing epoch of this process's current or last leadership; null before the first. */
  readonly epoch: number | null;
  /** Events published by this process. */
  readonly published: number;
  /** The error that stops it from publishing; null while it works. */
  readonly lastError: string | null;
};

export interface Relay {
  leads(): boolean;
  status(): Promise<RelayStatus>;
  /**
   * Resolves when no applied event waits, whichever relay published it; rejects when the signal aborts first. For tests
   * and shutdown.
   */
  settled(signal?: AbortSignal): Promise<void>;
  /** Finishes the running batch, then resigns the leadership. */
  close(): Promise<void>;
}

const FAILED_WAIT_MS = { failedMinimumMs: 100, failedMaximumMs: 5_000 };
const SETTLE_PACE = { idleMinimumMs: 5, idleMaximumMs: 100, ...FAILED_WAIT_MS };

export function createRelay({ outbox, publisher, logger, config }: RelayDeps): Relay {
  const closing = new AbortController();
  let leadership: Leadership | null = null;
  let published = 0;
  let lastError: string | null = null;

  const loop = createLoop({
    pace: { idleMinimumMs: config.pollMs, idleMaximumMs: config.pollMs, ...FAILED_WAIT_MS },
    onFailure: (error, waitMs) => {
      lastError = messageOf(error);
      if (!closing.signal.aborted) logger.warn({ err: error, waitMs }, 'publishing failed; events wait in the outbox');
    },
    step: async (signal) => {
      const current = await ensureLeadership(signal);
      const events = await outbox.applied({ limit: config.batchSize });
      lastError = null;
      if (events.length === 0 || current.lost.aborted) return 'idle';
      await publish(events);
      published += events.length;
      // The bytes may also limit a batch, so only an empty batch means that nothing is left.
      return 'full';
    },
  });
  const stopListening = outbox.onApplied(loop.wake);
  const running = loop.run(closing.signal);

  function publish(events: readonly RecordedEvent[]): Promise<void> {
    return withBatchSpan('publish events', { kind: 'producer', events }, async () => {
      await publisher.append(events);
      await outbox.published(events.map(({ position }) => position));
    });
  }

  async function ensureLeadership(signal: AbortSignal): Promise<Leadership> {
    if (leadership && !leadership.lost.aborted) return leadership;
    await leadership?.resign();
    leadership = null;
    leadership = await outbox.lead(signal);
    logger.info({ epoch: leadership.epoch }, 'relay leadership acquired');
    return leadership;
  }

  const leads = () => leadership !== null && !leadership.lost.aborted;
  return {
    leads,
    status: async () => ({
      leads: leads(),
      epoch: leadership?.epoch ?? null,
      published,
      lastError,
      ...(await outbox.depth()),
    }),
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
