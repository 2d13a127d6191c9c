/** One member's share of the events: its partitions, from the moment the group is dealt out until it is dealt out anew. */
import { createBatchHandler } from './create-batch-handler.js';
import { createCursors, isWithin } from './create-cursors.js';
import { createFlow } from './create-flow.js';
import type { Membership, Share } from './keep-consuming.js';
import type { ShareContext } from './share-context.js';

export type EventShare = Share & {
  readonly partitions: readonly number[];
  /** Everything at or below `published` is in the stream: learns how far that is handled, and finds what Kafka has lost. */
  readonly look: (published: number) => Promise<void>;
  /** After somebody paused or resumed. */
  readonly update: () => void;
};

export function createEventShare(
  context: ShareContext,
  { consumer, partitions, heartbeatMs, isCurrent, crash }: Membership,
): EventShare {
  const { topic, offsets, lowWater, inTurn, isPaused } = context;
  const ending = new AbortController();
  const flow = createFlow({ consumer, topic, partitions, isPaused, crash });
  const cursors = createCursors(context, { consumer, flow, ending: ending.signal, crash });
  const handleBatch = createBatchHandler(context, {
    consumer,
    cursors,
    flow,
    heartbeatMs,
    ending: ending.signal,
    isCurrent,
  });

  async function look(published: number): Promise<void> {
    if (ending.signal.aborted || cursors.all().every(({ partition }) => lowWater.of(partition) >= published)) return;
    const checkpoints = await offsets.checkpoints();
    const ranges = await offsets.ranges();
    for (const { partition, offset } of cursors.all()) {
      const [checkpoint, range] = [checkpoints.get(partition), ranges.get(partition)];
      if (!range || checkpoint?.offset !== offset || !isWithin(checkpoint, range)) {
        cursors.lookUpAgain(partition);
      } else {
        lowWater.mark(partition, { offset: range.high, position: published });
        lowWater.reached(partition, offset);
      }
    }
  }

  return {
    partitions,
    begin: () => cursors.lookUp(partitions),
    handleBatch,
    // In turn, so that no batch moves a checkpoint between the questions.
    look: (published) => inTurn(() => look(published)),
    update: flow.update,
    end: async () => {
      ending.abort();
      flow.close();
      await cursors.ended();
    },
  };
}
