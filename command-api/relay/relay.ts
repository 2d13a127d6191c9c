/**
 * The relay publishes applied events of the outbox, in order per key. One relay leads, the others are on standby. An
 * event that was published but not removed is published again; the first occurrences of all events stay in order.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { withBatchSpan } from '../../shared/kernel/tracing/tracing.js';
import type { Leadership, Outbox } from '../../shared/ports/outbox.js';
import type { EventPublisher } from '../../shared/ports/stream.js';
import type { RelayConfig } from './process-config.js';

export type RelayDeps = {
  readonly outbox: Outbox;
  readonly publisher: Pick<EventPublisher, 'append'>;
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

const FAILED_WAIT_MS = { failedMinimumMs: 100, failedMaximumMs: 5_000 };
const SETTLE_PACE = { idleMinimumMs: 5, idleMaximumMs: 100, ...FAILED_WAIT_MS };

export function createRelay({ outbox, publisher, logger, config }: RelayDeps): Relay {
  const closing = new AbortController();
  let leadership: Leadership | null = null;

  const loop = createLoop({
    pace: { idleMinimumMs: config.pollMs, idleMaximumMs: config.pollMs, ...FAILED_WAIT_MS },
    onFailure: (error, waitMs) => {
      if (!closing.signal.aborted) logger.warn({ err: error, waitMs }, 'publishing failed; events wait in the outbox');
    },
    step: async (signal) => {
      const current = await ensureLeadership(signal);
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
      await publisher.append(events, current);
      await outbox.published(events);
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
