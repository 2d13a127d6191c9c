/**
 * The ends of the partitions as the relay knows them: it distributes events over the partitions of the topic record,
 * notices records that Kafka lost, and remembers the ends before the outbox forgets the events.
 */
import type { Message, RecordMetadata } from 'kafkajs';
import { DependencyError } from '../../../kernel/errors.js';
import type { TopicRecord, TopicRecords } from '../../../ports/topic-records.js';
import { knownEndHeader } from '../known-end.js';
import { createPartitionOf } from '../partition-of.js';
import type { TopicLog } from '../topic-log.js';

export type PartitionedMessage = Message & { readonly partition: number };

/** Another process may begin a generation during an append; more than one of them is not expected. */
const ATTEMPTS = 5;

export interface KnownEnds {
  /** Adds to each message its partition and the known end. */
  assignPartitions(messages: readonly Message[]): Promise<PartitionedMessage[]>;
  /** Resolves when the ends behind these messages are durable, and a loss before them has begun a new generation. */
  note(messages: readonly PartitionedMessage[], answers: readonly RecordMetadata[]): Promise<void>;
  /** The next call reads the ends of the topic again. */
  forget(): void;
}

export function createKnownEnds({
  topic,
  records,
  log,
}: {
  readonly topic: string;
  readonly records: TopicRecords;
  readonly log: TopicLog;
}): KnownEnds {
  let known: TopicRecord | null = null;

  /** The ends of the topic now, which are at least those of its record. */
  async function find(): Promise<TopicRecord> {
    const { record, ranges } = await log.view();
    return { ...record, ends: record.ends.map((end, partition) => ranges.get(partition)?.high ?? end) };
  }

  return {
    assignPartitions: async (messages) => {
      const { ends } = (known ??= await find());
      const partitionOf = createPartitionOf(ends.length);
      return messages.map((message) => {
        const partition = partitionOf(String(message.key));
        return {
          ...message,
          partition,
          headers: { ...message.headers, ...knownEndHeader(ends[partition] ?? 0n) },
        };
      });
    },
    note: async (messages, answers) => {
      if (known && isBelow(known, answers)) {
        await log.reportLoss(known.generation);
        known = null;
      }
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const reached = endsBehind(known ?? (await find()), { messages, answers });
        known = (await records.raise(topic, reached)) ? reached : null;
        if (known) return;
      }
      throw new DependencyError('stream', `The record of ${topic} changed during ${ATTEMPTS} attempts to raise it`);
    },
    forget: () => (known = null),
  };
}

function isBelow({ ends }: TopicRecord, answers: readonly RecordMetadata[]): boolean {
  return answers.some(({ partition, baseOffset }) => BigInt(baseOffset ?? 0) < (ends[partition] ?? 0n));
}

function endsBehind(
  record: TopicRecord,
  {
    messages,
    answers,
  }: { readonly messages: readonly PartitionedMessage[]; readonly answers: readonly RecordMetadata[] },
): TopicRecord {
  const reached = new Map(
    answers.map(({ partition, baseOffset }) => [
      partition,
      BigInt(baseOffset ?? 0) + BigInt(messages.filter((message) => message.partition === partition).length),
    ]),
  );
  const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
  return { ...record, ends: record.ends.map((end, partition) => higher(end, reached.get(partition) ?? 0n)) };
}
