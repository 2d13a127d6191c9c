/**
 * Where one consumer group stands in the journal. Its subscriptions take turns: one batch at a time, and the position moves only once
 * a batch has been handled, so a batch that fails comes again and nothing is passed over.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { JournalReader } from '../../journal/journal.js';
import type { Checkpoints } from './checkpoints.js';

export interface ConsumerGroup {
  /** Reads the next batch and has it handled. `full` says that more is probably there. */
  handleNext(
    batchSize: number,
    handle: (events: readonly RecordedEvent[]) => Promise<void>,
  ): Promise<'full' | 'partial' | 'idle'>;
  /** Everything up to here has been handled. */
  position(): number;
  /** Resolves once that is at least `target`; rejects with the signal's reason when it is aborted before. */
  reached(target: number, signal: AbortSignal): Promise<void>;
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
  let lastTurn: Promise<unknown> = Promise.resolve();
  let arrivals: { readonly target: number; readonly arrive: () => void }[] = [];

  function moveTo(next: number): void {
    position = next;
    checkpoints.moved(name, position);
    for (const { target, arrive } of arrivals) if (target <= position) arrive();
    arrivals = arrivals.filter(({ target }) => target > position);
  }

  return {
    handleNext: (batchSize, handle) => {
      const turn = lastTurn.then(async () => {
        const events = await journal.read({ after: position, limit: batchSize });
        const last = events.at(-1);
        if (last === undefined) return 'idle';
        await handle(events);
        moveTo(last.position);
        return events.length < batchSize ? 'partial' : 'full';
      });
      lastTurn = turn.catch(() => undefined /* told to whose turn it was */);
      return turn;
    },
    position: () => position,
    reached: (target, signal) =>
      new Promise((resolve, reject) => {
        if (target <= position) return resolve();
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = (): void => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        arrivals.push({
          target,
          arrive: () => {
            signal.removeEventListener('abort', abort);
            resolve();
          },
        });
      }),
  };
}
