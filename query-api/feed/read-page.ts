/**
 * Reads the journal until one reply is full, by count or by bytes. It holds whole events only, and reads them in small
 * groups.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { FEED_BYTES_LIMIT } from '../../shared/contract/limits.js';

/** Of one read, where the events so far are small: usual ones take about 100 KB. */
const READ_LIMIT = 100;
/** Of a read, by the mean size of the events so far. Its rows are converted in one piece, 6 ms for 1 MB. */
const READ_BYTES = 1024 * 1024;
const FIRST_READ = 20;

export type PageRequest<T> = {
  readonly limit: number;
  /** Reads at most `count` events after `last`, or from the beginning without `last`. */
  readonly read: (last: RecordedEvent | undefined, count: number) => Promise<readonly RecordedEvent[]>;
  readonly present: (event: RecordedEvent) => T;
  readonly bytesLimit?: number;
};

export type Page<T> = {
  readonly items: readonly T[];
  /** The event of the last item. */
  readonly last: RecordedEvent | undefined;
  /** True when no event is left after the last item. */
  readonly isComplete: boolean;
};

/**
 * The first item is always taken, whatever its size. Reads one event above the limit, to know whether more events
 * exist.
 */
export async function readPage<T>({
  limit,
  read,
  present,
  bytesLimit = FEED_BYTES_LIMIT,
}: PageRequest<T>): Promise<Page<T>> {
  const items: T[] = [];
  let last: RecordedEvent | undefined;
  let bytes = 0;
  for (;;) {
    const fitting = items.length === 0 ? FIRST_READ : Math.ceil((READ_BYTES * items.length) / bytes);
    const count = Math.min(limit + 1 - items.length, READ_LIMIT, fitting);
    const events = await read(last, count);
    for (const event of events) {
      const item = present(event);
      bytes += Buffer.byteLength(JSON.stringify(item));
      const isFull = items.length === limit || (bytes > bytesLimit && items.length > 0);
      if (isFull) return { items, last, isComplete: false };
      items.push(item);
      last = event;
    }
    if (events.length < count) return { items, last, isComplete: true };
  }
}
