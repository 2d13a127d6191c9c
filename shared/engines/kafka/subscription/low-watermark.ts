/**
 * The low watermark of each partition: the journal positions up to which the events of the partition are handled.
 * `complete` has no exception: the journal is read again from there. `position` passes the events that `Published`
 * leaves out: progress is reported with it. A partition that reported it may still get such an event, and it may get
 * it from a new topic.
 *
 * Positions are not in order within a partition, so one handled event does not prove that those below it are handled. A
 * mark does: "what was published has an offset below that one".
 */
import type { Published } from '../../../ports/outbox.js';

export type Mark = { readonly offset: bigint; readonly published: Published };

export interface LowWatermark {
  of(partition: number): Published;
  /** The partitions without those that were added later, which hold no events. */
  used(partitions: readonly number[]): readonly number[];
  /** The lowest positions of these partitions. */
  lowest(partitions: readonly number[]): Published;
  /** What the stream had then is handled. */
  raise(partition: number, published: Published): void;
  /**
   * The first mark is kept until it is reached and later ones are ignored until then, so that the watermark of a busy
   * stream rises too.
   */
  mark(partition: number, mark: Mark): void;
  /** The value of `of` once everything before this offset is handled. */
  at(partition: number, offset: bigint): Published;
  /** Everything before this offset is handled, durably. */
  handledUpTo(partition: number, offset: bigint): void;
  /** The offsets of the partition may have a new meaning, so its mark is dropped. */
  unmark(partition: number): void;
  /** Another number of partitions distributes the keys differently, so all watermarks and marks are dropped. */
  setPartitionCount(partitions: number): void;
}

const NOTHING: Published = { position: 0, complete: 0 };

const higher = (one: Published, other: Published): Published => ({
  position: Math.max(one.position, other.position),
  complete: Math.max(one.complete, other.complete),
});

/** Everything up to this position is handled, without an exception. */
export const completeThrough = (position: number): Published => ({ position, complete: position });

export function createLowWatermark(): LowWatermark {
  const watermarks = new Map<number, Published>();
  const marks = new Map<number, Mark>();
  let count = 0;

  const of = (partition: number): Published => watermarks.get(partition) ?? NOTHING;
  const raise = (partition: number, published: Published): void =>
    void watermarks.set(partition, higher(of(partition), published));

  function at(partition: number, offset: bigint): Published {
    const mark = marks.get(partition);
    return mark && mark.offset <= offset ? higher(of(partition), mark.published) : of(partition);
  }

  return {
    of,
    used: (partitions) => partitions.filter((partition) => partition < count),
    lowest: (partitions) => ({
      position: Math.min(...partitions.map((partition) => of(partition).position)),
      complete: Math.min(...partitions.map((partition) => of(partition).complete)),
    }),
    raise,
    mark: (partition, mark) => {
      if (!marks.has(partition)) marks.set(partition, mark);
    },
    at,
    handledUpTo: (partition, offset) => {
      raise(partition, at(partition, offset));
      const mark = marks.get(partition);
      if (mark && mark.offset <= offset) marks.delete(partition);
    },
    unmark: (partition) => void marks.delete(partition),
    setPartitionCount: (partitions) => {
      if (partitions === count) return;
      count = partitions;
      watermarks.clear();
      marks.clear();
    },
  };
}
