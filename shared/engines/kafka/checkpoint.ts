/**
 * The checkpoint that a group commits for a partition: the next offset and, as metadata, the journal position up to
 * which every event of the partition is handled, without an exception. From this position the journal can be read when
 * Kafka no longer holds the next events.
 */
export type Checkpoint = {
  readonly offset: bigint;
  readonly position: number;
  /** The generation of the topic that the offset belongs to. */
  readonly generation: number;
  /** False while events below this offset must still be read from the journal. */
  readonly isComplete: boolean;
};

/** The identity of the journal, as this process read it first; null where the caller names none. */
export type HistoryId = string | null;

export function checkpointMetadata(
  { position, generation, isComplete }: Omit<Checkpoint, 'offset'>,
  history: HistoryId,
): string {
  return JSON.stringify({ position, generation, isComplete, ...(history !== null && { history }) });
}

/**
 * Null where the group has no checkpoint. A commit of another program has no journal position, so it gets position 0:
 * all events are read again. The same holds for one of another history, which a process commits that does not know yet
 * that its history ended. A checkpoint of an earlier release has no generation, and belongs to the first one; without a
 * history it belongs to the present one.
 */
export function readCheckpoint(offset: string, metadata: string | null, history: HistoryId): Checkpoint | null {
  if (BigInt(offset) < 0n) return null;
  const { position, generation = 1, isComplete, history: found = history } = parse(metadata ?? '');
  const isOurs =
    typeof position === 'number' &&
    Number.isSafeInteger(position) &&
    position >= 0 &&
    (history === null || found === history);
  return {
    offset: BigInt(offset),
    position: isOurs ? position : 0,
    generation: Number(generation),
    isComplete: isOurs && isComplete === true,
  };
}

function parse(metadata: string): {
  readonly position?: unknown;
  readonly generation?: unknown;
  readonly isComplete?: unknown;
  readonly history?: unknown;
} {
  try {
    const value: unknown = JSON.parse(metadata);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // the metadata of another program
  }
}
