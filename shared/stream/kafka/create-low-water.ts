/**
 * Up to which journal position every event of a partition has been handled. Positions do not come in order within a partition, so a
 * handled event says nothing of those below it; marks do: "all that is at or below this position lies before that offset".
 */
export type Mark = { readonly offset: bigint; readonly position: number };

export interface LowWater {
  of(partition: number): number;
  /** Over these partitions. */
  lowest(partitions: readonly number[]): number;
  /** Everything at or below this position has been handled. */
  raise(partition: number, position: number): void;
  /** Kept until it is reached; another one given before is for later, so that a stream that never rests is known to move on. */
  mark(partition: number, mark: Mark): void;
  /** What `of` will say once everything before this offset has been handled. */
  at(partition: number, offset: bigint): number;
  /** Everything before this offset has been handled, durably. */
  reached(partition: number, offset: bigint): void;
  /** Its offsets may count otherwise now: marks that were made by them do not hold. */
  unmark(partition: number): void;
  /** Another number of partitions shares the keys out otherwise, so nothing that was known of them holds. */
  sharedOutOver(partitions: number): void;
}

export function createLowWater(): LowWater {
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
    lowest: (partitions) => Math.min(...partitions.map(of)),
    raise,
    mark: (partition, mark) => {
      if (!marks.has(partition)) marks.set(partition, mark);
    },
    at,
    reached: (partition, offset) => {
      raise(partition, at(partition, offset));
      const mark = marks.get(partition);
      if (mark && mark.offset <= offset) marks.delete(partition);
    },
    unmark: (partition) => void marks.delete(partition),
    sharedOutOver: (partitions) => {
      if (partitions === count) return;
      count = partitions;
      positions.clear();
      marks.clear();
    },
  };
}
