/**
 * Controls from which assigned partitions records are fetched: from the enabled ones, except during a wait or while the
 * subscription is paused.
 */
import type { Consumer } from 'kafkajs';

export interface FlowControl {
  enable(partition: number): void;
  disable(partition: number): void;
  /** Fetches nothing from the partition for this long. */
  pauseFor(partition: number, waitMs: number): void;
  /** Called after the subscription was paused or resumed. */
  applyPause(): void;
  close(): void;
}

export function createFlowControl({
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
}): FlowControl {
  const enabled = new Set<number>();
  const waits = new Map<number, NodeJS.Timeout>();
  let isClosed = false;

  function apply(partition: number): void {
    if (isClosed) return;
    const topicPartitions = [{ topic, partitions: [partition] }];
    try {
      if (enabled.has(partition) && !waits.has(partition) && !isPaused()) consumer.resume(topicPartitions);
      else consumer.pause(topicPartitions);
    } catch (error) {
      crash(error); // kafkajs throws once its consumer has stopped
    }
  }

  function endWait(partition: number): void {
    clearTimeout(waits.get(partition));
    waits.delete(partition);
    apply(partition);
  }

  return {
    enable: (partition) => {
      enabled.add(partition);
      apply(partition);
    },
    disable: (partition) => {
      enabled.delete(partition);
      endWait(partition);
    },
    pauseFor: (partition, waitMs) => {
      waits.set(
        partition,
        setTimeout(() => endWait(partition), waitMs),
      );
      apply(partition);
    },
    applyPause: () => partitions.forEach(apply),
    close: () => {
      isClosed = true;
      for (const timer of waits.values()) clearTimeout(timer);
    },
  };
}
