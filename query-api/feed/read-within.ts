/** Reads on in the journal until there is enough for one answer, or as much as one may hold: whole events only, and few at a time. */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { FEED_BYTES_LIMIT } from '../../shared/contract/limits.js';

/** The largest events that there can be are then some 90 MB at once; usual ones are some 100 KB. */
const READ_AT_ONCE = 100;

export type Reading<T> = {
  readonly limit: number;
  /** The next events behind `last`, or the first ones, at most `few`. */
  readonly read: (last: RecordedEvent | undefined, few: number) => Promise<readonly RecordedEvent[]>;
  readonly present: (event: RecordedEvent) => T;
  readonly bytesLimit?: number;
};

export type Read<T> = {
  readonly items: readonly T[];
  /** What the last item was made of. */
  readonly last: RecordedEvent | undefined;
  /** Nothing was left behind it. */
  readonly isComplete: boolean;
};

/** The first item fits whatever its size. One more than the limit is read, because it tells whether the rest is empty. */
export async function readWithin<T>({
  limit,
  read,
  present,
  bytesLimit = FEED_BYTES_LIMIT,
}: Reading<T>): Promise<Read<T>> {
  const items: T[] = [];
  let last: RecordedEvent | undefined;
  let bytes = 0;
  for (;;) {
    const few = Math.min(limit + 1 - items.length, READ_AT_ONCE);
    const events = await read(last, few);
    for (const event of events) {
      const item = present(event);
      bytes += Buffer.byteLength(JSON.stringify(item));
      const isFull = items.length === limit || (bytes > bytesLimit && items.length > 0);
      if (isFull) return { items, last, isComplete: false };
      items.push(item);
      last = event;
    }
    if (events.length < few) return { items, last, isComplete: true };
  }
}
