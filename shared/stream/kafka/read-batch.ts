/** Turns what Kafka delivered into events, in slices of the size that the subscription asked for. */
import type { Batch, KafkaMessage } from 'kafkajs';
import type { RecordedEvent } from '../../contract/events.js';
import { PoisonError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { fromCloudEvent } from './cloud-event.js';

export type Slice = {
  readonly events: readonly RecordedEvent[];
  readonly lastOffset: bigint;
};

/**
 * No relay of ours writes what cannot be read, so what cannot be read is somebody else's: it is said and passed over, because it would
 * hold its partition for ever and no event of ours is lost by it.
 */
export function readSlice(records: readonly KafkaMessage[], logger: Logger): Slice {
  const events: RecordedEvent[] = [];
  const foreign: { readonly offset: string; readonly problem: string }[] = [];
  for (const { value, offset } of records) {
    try {
      events.push(fromCloudEvent(value?.toString() ?? ''));
    } catch (error) {
      if (!(error instanceof PoisonError)) throw error;
      foreign.push({ offset, problem: error.message });
    }
  }
  if (foreign.length > 0) {
    logger.error(
      { skipped: foreign.length, first: foreign[0] },
      'Records that are no events of ours were skipped: find out who else writes to this topic',
    );
  }
  return { events, lastOffset: BigInt(records.at(-1)?.offset ?? -1) };
}

export function slicesOf({ messages }: Pick<Batch, 'messages'>, size: number): readonly (readonly KafkaMessage[])[] {
  return Array.from({ length: Math.ceil(messages.length / size) }, (_, index) =>
    messages.slice(index * size, (index + 1) * size),
  );
}
