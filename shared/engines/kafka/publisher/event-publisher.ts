/** Appends events to their topic: durably, in order, in requests of a size that a broker accepts. */
import { CompressionTypes, type Kafka, type Message } from 'kafkajs';
import { type RecordedEvent, toCloudEvent } from '../../../contract/events.js';
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import { type EventPublisher, type RefusedEvent, RefusedEventsError } from '../../../ports/stream.js';
import type { TopicRecords } from '../../../ports/topic-records.js';
import { CLOUD_EVENT_CONTENT_TYPE } from '../cloud-event.js';
import { REQUEST_TIMEOUT_MS } from '../kafka-client.js';
import { isTopicMissing, refusalOfRecords, streamFailure } from '../stream-failure.js';
import type { TopicLog } from '../topic-log.js';
import { type FencedProducer, openFencedProducer } from './fenced-producer.js';
import { createKnownEnds } from './known-ends.js';

export type AppendEvents = EventPublisher['append'];
type Leadership = Parameters<AppendEvents>[1];

/** Largest total size of the events in one request to Kafka; a larger event is sent alone. */
const BATCH_BYTES = 1_000_000;
/** Bytes of a record in addition to its key and value: its own fields, and the headers. */
const RECORD_OVERHEAD_BYTES = 160;
/**
 * A producer is replaced after this time. Kafka forgets a transactional id for which no producer was opened for 7 days,
 * and the next producer would get another producer id, which fences none of the earlier ones.
 */
const PRODUCER_AGE_MS = 24 * 3_600_000;

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
  let current: {
    readonly leadership: Leadership;
    readonly since: number;
    readonly producer: Promise<FencedProducer>;
  } | null = null;
  // Read again after a failure: Kafka may have lost records meanwhile.
  const ends = createKnownEnds({ topic, records, log });
  // One append at a time: a send that is retried must not come after later events of its key.
  const enqueue = createSerialQueue();

  /**
   * First the producer, then the proof that its caller still leads: a later leader opens its producer after this proof,
   * and so fences this one.
   */
  async function connect(leadership: Leadership): Promise<FencedProducer> {
    const producer = await openFencedProducer(kafka, topic);
    try {
      await leadership?.confirm();
      return producer;
    } catch (error) {
      await producer.disconnect();
      throw error;
    }
  }

  /** A producer of its own for each leadership: another leader may have opened one in between. */
  async function producerOf(leadership: Leadership): Promise<FencedProducer> {
    const isOld = current !== null && performance.now() - current.since > PRODUCER_AGE_MS;
    if (isOld || current?.leadership !== leadership) await discardProducer();
    current ??= { leadership, since: performance.now(), producer: connect(leadership) };
    return current.producer;
  }

  /**
   * A producer is not used again after a failure. kafkajs takes back its sequence number although the broker may have
   * the records, and the broker would refuse every later send. A new producer repeats records that are already there,
   * at worst.
   */
  async function discardProducer(): Promise<void> {
    const discarded = current?.producer;
    current = null;
    ends.forget();
    await discarded
      ?.then((producer) => producer.disconnect())
      .catch(() => undefined /* the failed send reports the error */);
  }

  async function send(messages: Message[], leadership: Leadership): Promise<void> {
    try {
      const producer = await producerOf(leadership);
      const partitioned = await ends.assignPartitions(messages);
      const answers = await producer.send({
        topic,
        messages: partitioned,
        acks: -1,
        timeout: REQUEST_TIMEOUT_MS,
        compression: CompressionTypes.None,
      });
      await ends.note(partitioned, answers);
    } catch (error) {
      await discardProducer();
      throw error;
    }
  }

  async function sendToTopic(messages: Message[], leadership: Leadership): Promise<void> {
    await send(messages, leadership).catch(async (error: unknown) => {
      if (!isTopicMissing(error)) throw error;
      await ensureTopic();
      await send(messages, leadership);
    });
  }

  /**
   * Sends the messages without those of refused keys. When the broker refuses a request, its halves are sent apart, so
   * that it takes the others. Adds the keys of refused messages.
   */
  async function sendAccepted(
    messages: readonly Message[],
    refused: Map<string, Refusal>,
    leadership: Leadership,
  ): Promise<void> {
    const accepted = messages.filter(({ key }) => !refused.has(String(key)));
    const [first] = accepted;
    if (first === undefined) return;
    try {
      await sendToTopic(accepted, leadership);
    } catch (error) {
      const refusal = refusalOfRecords(error);
      if (refusal === null) throw error;
      const half = Math.ceil(accepted.length / 2);
      if (accepted.length === 1) refused.set(String(first.key), { message: first, error: refusal });
      else
        for (const part of [accepted.slice(0, half), accepted.slice(half)])
          await sendAccepted(part, refused, leadership);
    }
  }

  async function append(events: readonly RecordedEvent[], leadership: Leadership): Promise<void> {
    const refused = new Map<string, Refusal>();
    const messages = events.map(toMessage);
    try {
      for (const request of splitIntoRequests(messages, BATCH_BYTES)) await sendAccepted(request, refused, leadership);
    } catch (error) {
      throw streamFailure(error, 'take the events');
    }
    if (refused.size > 0) throw refusedEvents(events, { messages, refused });
  }

  return {
    append: (events, leadership) => enqueue(() => append(events, leadership)),
    close: () => enqueue(discardProducer),
  };
}

type Refusal = { readonly message: Message } & Pick<RefusedEvent, 'error'>;

function refusedEvents(
  events: readonly RecordedEvent[],
  { messages, refused }: { readonly messages: readonly Message[]; readonly refused: ReadonlyMap<string, Refusal> },
): RefusedEventsError {
  const unsent = events.filter(({ partitionKey }, index) => {
    const refusedMessage = refused.get(partitionKey)?.message;
    return refusedMessage !== undefined && messages.indexOf(refusedMessage) <= index;
  });
  const firsts = events.flatMap((event, index) => {
    const found = refused.get(event.partitionKey);
    return found !== undefined && found.message === messages[index] ? [{ event, error: found.error }] : [];
  });
  return new RefusedEventsError(firsts, new Set(unsent.map(({ position }) => position)));
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
