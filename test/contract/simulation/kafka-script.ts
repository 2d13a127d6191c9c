/** Producers, a group and administration as production uses kafkajs. Each part reports what its caller sees. */
import kafkajs, { type Admin, type Kafka, type Message } from 'kafkajs';
import { type FencedProducer, openFencedProducer } from '../../../shared/engines/kafka/publisher/fenced-producer.js';

export type KafkaClient = Pick<Kafka, 'admin' | 'producer' | 'consumer'>;
export type KafkaServer = {
  /** Each call gives a client of its own, as production has one for each consumer. */
  readonly open: () => KafkaClient;
  /** While no broker answers. */
  readonly openDown: () => KafkaClient;
  /** Of this run, with two partitions. */
  readonly topic: string;
  /** Deletes the topic and creates it again. */
  readonly replaceTopic: () => Promise<void>;
};
/** Returns lines that must be the same for both brokers. */
export type KafkaScript = (server: KafkaServer) => Promise<readonly string[]>;

export const PARTITIONS = 2;
const LIMIT_BYTES = 20_000;
export const line = (what: string, value: unknown): string => `${what}: ${JSON.stringify(value)}`;

/** The error code that production looks for. */
export function codeOf(error: unknown): string {
  for (let next = error; next instanceof Error; next = next.cause)
    if ('type' in next && typeof next.type === 'string') return next.type;
  return error instanceof kafkajs.KafkaJSError ? error.name : String(error);
}

export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then((value) => JSON.stringify(value), codeOf);

export async function withAdmin<T>({ open }: KafkaServer, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = open().admin();
  await admin.connect();
  return work(admin).finally(() => admin.disconnect());
}

export function createTopic(server: KafkaServer, topic = server.topic): Promise<boolean> {
  const configEntries = [{ name: 'max.message.bytes', value: String(LIMIT_BYTES) }];
  return withAdmin(server, (admin) =>
    admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS, configEntries }], waitForLeaders: true }),
  );
}

export const message = (partition: number, value: string): Message => ({
  key: `key ${partition}`,
  value: JSON.stringify(value),
  headers: { 'known-end': '7' },
  partition,
});

/** The partitions of the answer with the offsets of their first records. */
export function sent(
  producer: Pick<FencedProducer, 'send'>,
  topic: string,
  messages: readonly Message[],
): Promise<string> {
  return outcomeOf(
    producer
      .send({ topic, messages: [...messages], acks: -1 })
      .then((answers) => answers.map(({ partition, baseOffset }) => `${partition} at ${baseOffset}`).sort()),
  );
}

export const offsetsOf = (admin: Admin, topic: string) =>
  outcomeOf(
    admin
      .fetchTopicOffsets(topic)
      .then((found) => found.map(({ partition, low, high }) => `${partition}: ${low} to ${high}`).sort()),
  );

/** Sends of producers, of which later ones fence earlier ones, and sends that the broker refuses. */
export const produce: KafkaScript = async (server) => {
  const { open, topic } = server;
  const lines: string[] = [];
  const opened: FencedProducer[] = [];
  const openNext = async (): Promise<FencedProducer> => {
    const producer = await openFencedProducer(open() as Kafka, topic);
    opened.push(producer);
    return producer;
  };
  await createTopic(server);
  const first = await openNext();
  lines.push(line('first', await sent(first, topic, [message(0, 'a'), message(1, 'b'), message(0, 'c')])));
  const second = await openNext();
  lines.push(line('first, until the second sends', await sent(first, topic, [message(0, 'd')])));
  lines.push(line('second', await sent(second, topic, [message(0, 'e')])));
  lines.push(
    line('first, to a fenced and a free partition', await sent(first, topic, [message(0, 'f'), message(1, 'g')])),
  );
  lines.push(line('second, too large', await sent(second, topic, [message(0, 'x'.repeat(2 * LIMIT_BYTES))])));
  const third = await openNext();
  const large = Array.from({ length: 3 }, () => message(0, 'y'.repeat(LIMIT_BYTES / 2)));
  lines.push(line('third, too large together', await sent(third, topic, large)));
  const fourth = await openNext();
  lines.push(line('fourth', await sent(fourth, topic, [message(1, 'h'), message(0, 'i')])));
  lines.push(line('unknown topic', await sent(await openNext(), `${topic}.unknown`, [message(0, 'j')])));
  await withAdmin(server, async (admin) => {
    lines.push(line('offsets', await offsetsOf(admin, topic)));
    lines.push(line('offsets of an unknown topic', await offsetsOf(admin, `${topic}.unknown`)));
    lines.push(line('is listed', (await admin.listTopics()).includes(topic)));
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    lines.push(
      line(
        'partitions',
        topics.map(({ partitions }) => partitions.length),
      ),
    );
  });
  for (const producer of opened) await producer.disconnect();
  return lines;
};

/** Calls while the broker is down. */
export const reachNothing: KafkaScript = async ({ openDown, topic }) => {
  const [admin, consumer] = [openDown().admin(), openDown().consumer({ groupId: topic, retry: { retries: 0 } })];
  const reached = [
    await failureOf(admin.connect().then(() => admin.listTopics())),
    await failureOf(openFencedProducer(openDown() as Kafka, topic)),
    await failureOf(consumer.connect()),
  ];
  await Promise.all([admin.disconnect(), consumer.disconnect()]);
  return reached;
};

/** The names of an error and of its causes, and the code of the connection. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  const names: string[] = [];
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  for (let next = error; next instanceof Error; next = next.cause)
    names.push(`${next.name} ${'code' in next ? String(next.code) : ''}`.trim());
  return names.join(', caused by ');
}
