/**
 * The low watermark of each partition: the journal position up to which every event of the partition is handled.
 * Positions are not in order within a partition, so one handled event does not prove that those below it are handled. A
 * mark does: "every event at or below this position has an offset below that one".
 */
export type Mark = { readonly offset: bigint; readonly position: number };

export interface LowWatermark {
  of(partition: number): number;
  /** The partitions without those that were added later, which hold no events. */
  used(partitions: readonly number[]): readonly number[];
  /** The lowest watermark of these partitions. */
  lowest(partitions: readonly number[]): number;
  /** Everything at or below this position is handled. */
  raise(partition: number, position: number): void;
  /**
   * The first mark is kept until it is reached and later ones are ignored until then, so that the watermark of a busy
   * stream rises too.
   */
  mark(partition: number, mark: Mark): void;
  /** The value of `of` once everything before this offset is handled. */
  at(partition: number, offset: bigint): number;
  /** Everything before this offset is handled, durably. */
  handledUpTo(partition: number, offset: bigint): void;
  /** The offsets of the partition may have a new meaning, so its mark is dropped. */
  unmark(partition: number): void;
  /** Another number of partitions distributes the keys differently, so all watermarks and marks are dropped. */
  setPartitionCount(partitions: number): void;
}

export function createLowWatermark(): LowWatermark {
  const positions = new Map<number, number>();
  const marks = new Map<number, Mark>();
  let count = 0;

  const of = (partition: number): number => positions.get(partition) ?? 0;
  const raise = (partition: number, position: number): void =>
    void positions.set(partition, Math.max(of(partition), position));

  function at(partition: number, offset: bigint): number {
    const mark = marks.get(partition);
    return mark && mark.offset <= offset ? Math.max(of(partition), mark.position) : of(partition);
  }

  return {
    of,
    used: (partitions) => partitions.filter((partition) => partition < count),
    lowest: (partitions) => Math.min(...partitions.map(of)),
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
      positions.clear();
      marks.clear();
    },
  };
}
