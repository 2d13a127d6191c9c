/** Which partitions of a share flow: those that are open, while nothing waits in them and nobody has paused the subscription. */
import type { Consumer } from 'kafkajs';

export interface Flow {
  open(partition: number): void;
  shut(partition: number): void;
  /** Shuts it for this long. */
  hold(partition: number, waitMs: number): void;
  /** After somebody paused or resumed. */
  update(): void;
  close(): void;
}

export function createFlow({
  consumer,
  topic,
  partitions,
  isPaused,
  crash,
}: {
  readonly consumer: Pick<Consumer, 'pause' | 'resume'>;
  readonly topic: string;
  readonly partitions: readonly number[];
  readonly isPaused: () => boolean;
  readonly crash: (error: unknown) => void;
}): Flow {
  const open = new Set<number>();
  const holds = new Map<number, NodeJS.Timeout>();
  let isClosed = false;

  function apply(partition: number): void {
    if (isClosed) return;
    const place = [{ topic, partitions: [partition] }];
    try {
      if (open.has(partition) && !holds.has(partition) && !isPaused()) consumer.resume(place);
      else consumer.pause(place);
    } catch (error) {
      crash(error); // kafkajs refuses once its consumer has stopped
    }
  }

  function release(partition: number): void {
    clearTimeout(holds.get(partition));
    holds.delete(partition);
    apply(partition);
  }

  return {
    open: (partition) => {
      open.add(partition);
      apply(partition);
    },
    shut: (partition) => {
      open.delete(partition);
      release(partition);
    },
    hold: (partition, waitMs) => {
      holds.set(
        partition,
        setTimeout(() => release(partition), waitMs),
      );
      apply(partition);
    },
    update: () => partitions.forEach(apply),
    close: () => {
      isClosed = true;
      for (const timer of holds.values()) clearTimeout(timer);
    },
  };
}
