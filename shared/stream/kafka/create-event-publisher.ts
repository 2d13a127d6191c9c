/** Appends events to their topic: durably, in order, in requests that a broker takes. */
import { CompressionTypes, Partitioners, type Kafka, type Message, type Producer } from 'kafkajs';
import { toCloudEvent } from '../../contract/cloud-event.js';
import type { RecordedEvent } from '../../contract/events.js';
import { CLOUD_EVENT_CONTENT_TYPE } from './cloud-event.js';
import { SHORT_RETRY } from './create-kafka.js';
import { isTopicMissing, streamFailure } from './stream-failure.js';

export type AppendEvents = (events: readonly RecordedEvent[]) => Promise<void>;

/** What a record takes beside its key and value: its own fields, and the header. */
const RECORD_OVERHEAD_BYTES = 128;

export function createEventPublisher({
  kafka,
  topic,
  ensureTopic,
  batchBytes,
  requestTimeoutMs,
}: {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly ensureTopic: () => Promise<void>;
  readonly batchBytes: number;
  readonly requestTimeoutMs: number;
}): { readonly append: AppendEvents; readonly close: () => Promise<void> } {
  let connecting: Promise<Producer> | null = null;
  let lastTurn: Promise<void> = Promise.resolve();

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
   * A producer that failed is not used again. kafkajs takes back its sequence number although the broker may have the records, and every
   * later send would be refused; a new one at worst repeats what is there already.
   */
  async function drop(): Promise<void> {
    const dropped = connecting;
    connecting = null;
    await dropped?.then((producer) => producer.disconnect()).catch(() => undefined /* told by the send that failed */);
  }

  async function send(messages: Message[]): Promise<void> {
    try {
      const producer = await (connecting ??= connect());
      await producer.send({ topic, messages, acks: -1, timeout: requestTimeoutMs, compression: CompressionTypes.None });
    } catch (error) {
      await drop();
      throw error;
    }
  }

  async function append(events: readonly RecordedEvent[]): Promise<void> {
    try {
      for (const messages of requests(events.map(toMessage), batchBytes)) {
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
    append: (events) => {
      // One after the other: a send that is tried again must not come behind later events of its key.
      const turn = lastTurn.then(() => append(events));
      lastTurn = turn.catch(() => undefined /* told to whose turn it was */);
      return turn;
    },
    close: async () => {
      await lastTurn;
      await drop();
    },
  };
}

function toMessage(event: RecordedEvent): Message {
  return {
    key: event.partitionKey,
    value: JSON.stringify(toCloudEvent(event)),
    headers: { 'content-type': CLOUD_EVENT_CONTENT_TYPE },
  };
}

/** In order, each at most `limit` bytes; a larger one alone. */
export function requests(messages: readonly Message[], limit: number): Message[][] {
  const batches: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const weight =
      RECORD_OVERHEAD_BYTES + Buffer.byteLength(message.key ?? '') + Buffer.byteLength(message.value ?? '');
    if (bytes + weight > limit) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(message);
    bytes += weight;
  }
  return batches;
}
