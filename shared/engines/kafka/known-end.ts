/**
 * Each record names the end of its partition that the relay knew when it sent the record. Kafka puts a record at that
 * offset or a later one, so a lower offset proves that records before it were lost.
 */
import type { IHeaders, KafkaMessage } from 'kafkajs';

const HEADER = 'known-end';

export function knownEndHeader(end: bigint): IHeaders {
  return { [HEADER]: String(end) };
}

/** False for a record without a known end, from another program or an earlier release. */
export function provesLoss({ offset, headers }: Pick<KafkaMessage, 'offset' | 'headers'>): boolean {
  const end = String(headers?.[HEADER] ?? '');
  return /^\d{1,19}$/u.test(end) && BigInt(offset) < BigInt(end);
}
