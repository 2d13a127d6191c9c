/** Turns the records of a Kafka batch into events, in slices of the size that the subscription asked for. */
import type { Batch, KafkaMessage } from 'kafkajs';
import type { RecordedEvent } from '../../../contract/events.js';
import { PoisonError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { fromCloudEvent } from '../cloud-event.js';

export type Slice = {
  readonly events: readonly RecordedEvent[];
  readonly lastOffset: bigint;
};

/**
 * Skips records that are not events, and logs an error. Our relay writes readable records only, so an unreadable one comes from another
 * program. It would block its partition forever, and skipping it loses no event of ours.
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
      'records that are not our events were skipped: find the other program that writes to this topic',
    );
  }
  return { events, lastOffset: BigInt(records.at(-1)?.offset ?? -1) };
}

export function slicesOf({ messages }: Pick<Batch, 'messages'>, size: number): readonly (readonly KafkaMessage[])[] {
  return Array.from({ length: Math.ceil(messages.length / size) }, (_, index) =>
    messages.slice(index * size, (index + 1) * size),
  );
}
