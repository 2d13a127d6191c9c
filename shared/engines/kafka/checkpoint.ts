/**
 * The checkpoint that a group commits for a partition: the next offset and, as metadata, the journal position up to
 * which every event of the partition is handled. From this position the journal can be read when Kafka no longer holds
 * the next events.
 */
export type Checkpoint = {
  readonly offset: bigint;
  readonly position: number;
  /** The generation of the topic that the offset belongs to. */
  readonly generation: number;
  /** False while events below this offset must still be read from the journal. */
  readonly isComplete: boolean;
};

export function checkpointMetadata({ position, generation, isComplete }: Omit<Checkpoint, 'offset'>): string {
  return JSON.stringify({ position, generation, isComplete });
}

/**
 * Null where the group has no checkpoint. A commit of another program has no journal position, so it gets position 0:
 * all events are read again. A checkpoint of an earlier release has no generation, and belongs to the first one.
 */
export function readCheckpoint(offset: string, metadata: string | null): Checkpoint | null {
  if (BigInt(offset) < 0n) return null;
  const { position, generation = 1, isComplete } = parse(metadata ?? '');
  const isOurs = typeof position === 'number' && Number.isSafeInteger(position) && position >= 0;
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
} {
  try {
    const value: unknown = JSON.parse(metadata);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // the metadata of another program
  }
}
