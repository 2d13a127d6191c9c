/** The event partitions that one member is assigned, from one rebalance to the next. */
import type { Published } from '../../../ports/outbox.js';
import { createFlowControl } from '../flow-control.js';
import type { Assignment, Membership } from '../keep-consuming.js';
import type { AssignmentContext } from './assignment-context.js';
import { createBatchHandler } from './batch-handler.js';
import { createCursors, isInRange } from './cursors.js';

/**
 * A member without work looks for another generation of the topic once in so many checks, and compares its checkpoints
 * with the topic once in so many, about twice a minute. Only this finds a topic that Kafka lost while no event comes.
 */
const [CHECKS_PER_GENERATION, CHECKS_PER_COMPARISON] = [4, 60];

export type EventAssignment = Assignment & {
  readonly partitions: readonly number[];
  /**
   * Measures how much of what was published is handled, and finds partitions whose events Kafka lost.
   */
  readonly checkProgress: (published: Published) => Promise<void>;
  /** Called after the subscription was paused or resumed. */
  readonly applyPause: () => void;
};

export function createEventAssignment(
  context: AssignmentContext,
  { consumer, partitions, heartbeatMs, isCurrent, crash }: Membership,
): EventAssignment {
  const { topic, offsets, lowWatermark, enqueue, isPaused } = context;
  const stop = new AbortController();
  const flow = createFlowControl({ consumer, topic, partitions, isPaused, crash });
  const cursors = createCursors(context, { consumer, flow, stopSignal: stop.signal, crash });
  const handleBatch = createBatchHandler(context, {
    consumer,
    cursors,
    flow,
    heartbeatMs,
    stopSignal: stop.signal,
    isCurrent,
  });

  /** False when another generation of the topic began, also for a partition from which no record comes any more. */
  async function isGenerationCurrent(): Promise<boolean> {
    const current = await offsets.generation();
    return cursors.all().every(({ generation }) => generation === current);
  }

  function isCaughtUp({ position, complete }: Published): boolean {
    return cursors.all().every(({ partition }) => {
      const handled = lowWatermark.of(partition);
      return handled.position >= position && handled.complete >= complete;
    });
  }

  let idleChecks = 0;

  async function checkProgress(published: Published): Promise<void> {
    if (stop.signal.aborted) return;
    const isIdle = isCaughtUp(published) && (idleChecks % CHECKS_PER_GENERATION > 0 || (await isGenerationCurrent()));
    idleChecks = isIdle ? idleChecks + 1 : 0;
    if (idleChecks % CHECKS_PER_COMPARISON > 0) return;
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    for (const { partition, offset } of cursors.all()) {
      const [checkpoint, range] = [checkpoints.get(partition), ranges.get(partition)];
      if (checkpoint?.offset !== offset || !isInRange(checkpoint, range)) {
        cursors.lookUpAgain(partition);
      } else {
        lowWatermark.mark(partition, { offset: range.high, published });
        lowWatermark.handledUpTo(partition, offset);
      }
    }
  }

  return {
    partitions,
    start: () => cursors.lookUp(partitions),
    handleBatch,
    // In the queue of the batches, so that no batch moves a checkpoint between the two reads.
    checkProgress: (published) => enqueue(() => checkProgress(published)),
    applyPause: flow.applyPause,
    stop: async () => {
      stop.abort();
      flow.close();
      await cursors.settled();
    },
  };
}
