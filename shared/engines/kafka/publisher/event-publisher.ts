/** Appends events to their topic: durably, in order, in requests of a size that a broker accepts. */
import { CompressionTypes, type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import { type RecordedEvent, toCloudEvent } from '../../../contract/events.js';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { TopicRecords } from '../../../ports/topic-records.js';
import { CLOUD_EVENT_CONTENT_TYPE } from '../cloud-event.js';
import { REQUEST_TIMEOUT_MS, SHORT_RETRY } from '../kafka-client.js';
import { isTopicMissing, streamFailure } from '../stream-failure.js';
import type { TopicLog } from '../topic-log.js';
import { createKnownEnds } from './known-ends.js';

export type AppendEvents = (events: readonly RecordedEvent[]) => Promise<void>;

/** Largest total size of the events in one request to Kafka; a larger event is sent alone. */
const BATCH_BYTES = 1_000_000;
/** Bytes of a record in addition to its key and value: its own fields, and the headers. */
const RECORD_OVERHEAD_BYTES = 160;

export function createEventPublisher({
  kafka,
  topic,
  ensureTopic,
  records,
  log,
}: {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly records: TopicRecords;
  readonly log: TopicLog;
  readonly ensureTopic: () => Promise<void>;
}): { readonly append: AppendEvents; readonly close: () => Promise<void> } {
  let connecting: Promise<Producer> | null = null;
  // Read again after a failure: Kafka may have lost records meanwhile.
  const ends = createKnownEnds({ topic, records, log });
  // One append at a time: a send that is retried must not come after later events of its key.
  const enqueue = createSerialQueue();

  async function connect(): Promise<Producer> {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: SHORT_RETRY,
    });
    await producer.connect();
    return producer;
  }

  /**
   * A producer is not used again after a failure. kafkajs takes back its sequence number although the broker may have
   * the records, and the broker would refuse every later send. A new producer repeats records that are already there,
   * at worst.
   */
  async function discardProducer(): Promise<void> {
    const discarded = connecting;
    connecting = null;
    ends.forget();
    await discarded
      ?.then((producer) => producer.disconnect())
      .catch(() => undefined /* the failed send reports the error */);
  }

  async function send(messages: Message[]): Promise<void> {
    try {
      const placed = await ends.place(messages);
      const producer = await (connecting ??= connect());
      const answers = await producer.send({
        topic,
        messages: placed,
        acks: -1,
        timeout: REQUEST_TIMEOUT_MS,
        compression: CompressionTypes.None,
      });
      await ends.note(placed, answers);
    } catch (error) {
      await discardProducer();
      throw error;
    }
  }

  async function append(events: readonly RecordedEvent[]): Promise<void> {
    try {
      for (const messages of splitIntoRequests(events.map(toMessage), BATCH_BYTES)) {
        await send(messages).catch(async (error: unknown) => {
          if (!isTopicMissing(error)) throw error;
          await ensureTopic();
          await send(messages);
        });
      }
    } catch (error) {
      throw streamFailure(error, 'take the events');
    }
  }

  return {
    append: (events) => enqueue(() => append(events)),
    close: () => enqueue(discardProducer),
  };
}

function toMessage(event: RecordedEvent): Message {
  return {
    key: event.partitionKey,
    value: JSON.stringify(toCloudEvent(event)),
    headers: { 'content-type': CLOUD_EVENT_CONTENT_TYPE },
  };
}

/** In order, each of at most `limit` bytes; a larger message gets a request of its own. */
export function splitIntoRequests(messages: readonly Message[], limit: number): Message[][] {
  const batches: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = RECORD_OVERHEAD_BYTES + Buffer.byteLength(message.key ?? '') + Buffer.byteLength(message.value ?? '');
    if (bytes + size > limit) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(message);
    bytes += size;
  }
  return batches;
}
