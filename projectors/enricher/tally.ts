/** Reports the attempts of the enricher: counters for its state, and frames for the clients of the live stream. */
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import { reportOf } from '../../shared/kernel/errors.js';
import type { EventPublisher } from '../../shared/ports/stream.js';

const ERROR_LENGTH = 100;

export type EnricherDetail = {
  readonly last_success_id: MemoryId | null;
  readonly last_success_at: Timestamp | null;
  readonly inflight: number;
  readonly successes: number;
  /** Memories that failed permanently; each counts once. */
  readonly failures: number;
};

export interface Tally {
  /** Counts the start of one attempt at one memory. The caller then calls exactly one of `succeeded` and `failed`. */
  begin(id: MemoryId, attempt: number): Attempt;
  detail(): EnricherDetail;
}

export type Attempt = {
  /** `isUsed`: the memory had not changed during the attempt, so the result was recorded. */
  readonly succeeded: (isUsed: boolean) => void;
  readonly failed: (error: Error, willRetry: boolean) => void;
};

export function createTally({
  publisher,
  clock,
}: {
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly clock: Clock;
}): Tally {
  const detail: { -readonly [K in keyof EnricherDetail]: EnricherDetail[K] } = {
    last_success_id: null,
    last_success_at: null,
    inflight: 0,
    successes: 0,
    failures: 0,
  };

  function notify(type: string, data: Readonly<Record<string, unknown>>): void {
    publisher.notify({ kind: 'watched', type, data, at: formatTimestamp(clock.now()) });
  }

  return {
    begin: (id, attempt) => {
      const startedAt = performance.now();
      const elapsed = (): number => Math.round(performance.now() - startedAt);
      detail.inflight += 1;
      notify('enrichment.start', { memory_id: id, attempt });
      return {
        succeeded: (isUsed) => {
          detail.inflight -= 1;
          detail.successes += 1;
          detail.last_success_id = id;
          detail.last_success_at = formatTimestamp(clock.now());
          notify('enrichment.complete', { memory_id: id, success: true, elapsed_ms: elapsed(), skipped: !isUsed });
        },
        failed: (error, willRetry) => {
          detail.inflight -= 1;
          if (!willRetry) detail.failures += 1;
          notify('enrichment.failed', {
            memory_id: id,
            error: reportOf(error).slice(0, ERROR_LENGTH),
            attempt,
            elapsed_ms: elapsed(),
            will_retry: willRetry,
          });
        },
      };
    },
    detail: () => ({ ...detail }),
  };
}
