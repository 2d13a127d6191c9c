/**
 * Computes the partition of an event as Kafka clients do by default, for events that are published and for events that
 * are read from the journal.
 */
import { Partitioners, type PartitionMetadata } from 'kafkajs';

export function createPartitionOf(partitions: number): (partitionKey: string) => number {
  const choose = Partitioners.DefaultPartitioner();
  const partitionMetadata: PartitionMetadata[] = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 0,
    replicas: [],
    isr: [],
    partitionErrorCode: 0,
  }));
  return (partitionKey) => choose({ topic: '', partitionMetadata, message: { key: partitionKey, value: null } });
}
