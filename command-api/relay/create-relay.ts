/**
 * The relay: takes applied events out of the outbox and publishes them, in order per key. One leads, the others stand by. What it
 * published and could not remove it publishes again; first appearances stay in order.
 */
import type { Leadership, Outbox } from '../../shared/journal/outbox.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createLoop } from '../../shared/kernel/loop.js';
import type { EventPublisher } from '../../shared/stream/stream.js';
import type { RelayConfig } from './config.js';

export type RelayDeps = {
  readonly outbox: Outbox;
  readonly publisher: Pick<EventPublisher, 'append'>;
  readonly logger: Logger;
  readonly config: Pick<RelayConfig, 'batchSize' | 'pollMs'>;
};

export type RelayStatus = Awaited<ReturnType<Outbox['depth']>> & {
  readonly leads: boolean;
  /** Of the lead that this process has or had last; null before its first. */
  readonly epoch: number | null;
  /** Events published by this process. */
  readonly published: number;
  /** What keeps it from publishing. */
  readonly lastError: string | null;
};

export interface Relay {
  status(): Promise<RelayStatus>;
  /** Resolves when nothing applied waits, whichever relay published it; rejects when the signal aborts first. For tests and orderly stops. */
  settled(signal?: AbortSignal): Promise<void>;
  /** Finishes the running batch, then gives the lead to another. */
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
      lastError = error instanceof Error ? error.message : String(error);
      if (!closing.signal.aborted) logger.warn({ error, waitMs }, 'events wait to be published');
    },
    step: async (signal) => {
      const lead = await ensureLead(signal);
      const events = await outbox.applied({ limit: config.batchSize });
      lastError = null;
      if (events.length === 0 || lead.lost.aborted) return 'idle';
      await publisher.append(events);
      await outbox.published(events.map(({ position }) => position));
      published += events.length;
      // A batch may end by its bytes as well, so only an empty one is the end.
      return 'full';
    },
  });
  const stopListening = outbox.onApplied(loop.wake);
  const running = loop.run(closing.signal);

  async function ensureLead(signal: AbortSignal): Promise<Leadership> {
    if (leadership && !leadership.lost.aborted) return leadership;
    await leadership?.resign();
    leadership = null;
    leadership = await outbox.lead(signal);
    logger.info({ epoch: leadership.epoch }, 'this relay leads');
    return leadership;
  }

  return {
    status: async () => ({
      leads: leadership !== null && !leadership.lost.aborted,
      epoch: leadership?.epoch ?? null,
      published,
      lastError,
      ...(await outbox.depth()),
    }),
    settled: async (signal = new AbortController().signal) => {
      const empty = new AbortController();
      const asking = createLoop({
        pace: SETTLE_PACE,
        onFailure: () => undefined,
        step: async () => {
          loop.wake();
          if ((await outbox.depth()).applied === 0) empty.abort();
          return 'idle';
        },
      });
      await asking.run(AbortSignal.any([signal, empty.signal]));
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
