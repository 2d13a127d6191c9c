/**
 * The position of one consumer group in the journal. Its subscriptions handle one batch at a time, and the position
 * moves only after a batch was handled. So a failed batch is delivered again, and no event is skipped.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { Checkpoints } from './checkpoints.js';

export interface ConsumerGroup {
  /** Reads the next batch and passes it to `handle`. `full` means that more events are probably waiting. */
  handleNext(
    batchSize: number,
    handle: (events: readonly RecordedEvent[]) => Promise<void>,
  ): Promise<'full' | 'partial' | 'idle'>;
  /** Everything up to this position is handled. */
  position(): number;
  /**
   * Resolves once the position is at least `target`; rejects with the signal's reason when the signal is aborted first.
   */
  waitForPosition(target: number, signal: AbortSignal): Promise<void>;
}

export async function createConsumerGroup({
  name,
  journal,
  checkpoints,
}: {
  readonly name: string;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly checkpoints: Checkpoints;
}): Promise<ConsumerGroup> {
  let position = await checkpoints.load(name);
  const enqueue = createSerialQueue();
  let waiters: { readonly target: number; readonly wake: () => void }[] = [];

  function moveTo(next: number): void {
    position = next;
    checkpoints.advance(name, position);
    for (const { target, wake } of waiters) if (target <= position) wake();
    waiters = waiters.filter(({ target }) => target > position);
  }

  return {
    handleNext: (batchSize, handle) =>
      enqueue(async () => {
        const events = await journal.read({ after: position, limit: batchSize });
        const last = events.at(-1);
        if (last === undefined) return 'idle';
        await handle(events);
        moveTo(last.position);
        return events.length < batchSize ? 'partial' : 'full';
      }),
    position: () => position,
    waitForPosition: (target, signal) =>
      new Promise((resolve, reject) => {
        if (target <= position) return resolve();
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = (): void => {
          waiters = waiters.filter((other) => other !== waiter);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', abort, { once: true });
        const waiter = {
          target,
          wake: () => {
            signal.removeEventListener('abort', abort);
            resolve();
          },
        };
        waiters.push(waiter);
      }),
  };
}
