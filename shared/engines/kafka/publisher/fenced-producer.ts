/**
 * An idempotent producer that ends the right of earlier producers with its name to write. Kafka gives each of them the
 * same producer id and a higher epoch, and a partition refuses records of a lower epoch than it has seen.
 *
 * Kafka does this for transactions. The records are sent without one: a transaction takes two more requests for each
 * batch (one event 20 to 39 ms instead of 2 to 11), and its markers take offsets, so that the end of a partition is no
 * longer the offset behind its last event.
 */
import { createRequire } from 'node:module';
import { type Kafka, Partitioners, type Transaction } from 'kafkajs';
import { SHORT_RETRY } from '../kafka-client.js';

export type FencedProducer = Pick<Transaction, 'send'> & { readonly disconnect: () => Promise<void> };

/** When it resolves, a record of an earlier producer can precede the records of this one and never follow them. */
export async function openFencedProducer(kafka: Kafka, name: string): Promise<FencedProducer> {
  sendWithoutTransactions();
  const producer = kafka.producer({
    transactionalId: name,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: SHORT_RETRY,
  });
  try {
    await producer.connect();
    // It never ends: for Kafka it does not exist.
    const { send } = await producer.transaction();
    return { send, disconnect: () => producer.disconnect() };
  } catch (error) {
    await producer.disconnect();
    throw error;
  }
}

type Broker = {
  produce(request: Readonly<Record<string, unknown>>): Promise<unknown>;
  addPartitionsToTxn(request: unknown): Promise<unknown>;
};

/**
 * Patches kafkajs 2.2.4 (`GUARDED_VERSION`), once in a process: a producer with a transactional id sends plain
 * idempotent records. kafkajs offers the producer id and epoch of such a producer for transactions only.
 */
function sendWithoutTransactions(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/broker') as { prototype: Broker };
  const { produce } = prototype;
  if (produce.name === produceWithoutTransaction.name) return;
  prototype.produce = produceWithoutTransaction;
  prototype.addPartitionsToTxn = () => Promise.resolve(undefined);

  function produceWithoutTransaction(this: Broker, request: Readonly<Record<string, unknown>>): Promise<unknown> {
    return produce.call(this, { ...request, transactionalId: undefined });
  }
}
